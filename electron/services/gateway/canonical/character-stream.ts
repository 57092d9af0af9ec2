// From a page's bytes, in pieces, to its text. The encoding is the byte order mark's, or the Content-Type's, or the one
// that the first bytes declare, or windows-1252. What every encoding reads alike is read before that is known.
import { isAscii } from "node:buffer";
import { encodingOfContentType } from "./encoding-label.ts";
import { findByteOrderMark, prescanBytes, prescanEncoding } from "./encoding-prescan.ts";

const fallback = "windows-1252";
/** A piece of nothing but ASCII is its text as it stands, in as many bytes: there is nothing to decode. */
const plainEncodings: ReadonlySet<string> = new Set(["utf-8", fallback]);
const empty: Uint8Array = new Uint8Array();

/**
 * The bytes at the start that are the same sign in every encoding which a page can declare for itself: ASCII, without
 * the signs that switch ISO-2022-JP, and without zeros, which hint at UTF-16.
 */
function plainLength(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x80 || byte === 0 || byte === 0x1b || byte === 0x0e || byte === 0x0f) break;
  }
  // A `<` with a zero behind it may begin UTF-16; only the second byte tells.
  return at < 2 ? 0 : at;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export class CharacterStream {
  readonly #declared: string | undefined;
  #decoder: TextDecoder | undefined;
  /** The decoder has been given nothing: it stands within no sign. */
  #isPlain = false;
  /** As long as the encoding is not known: the first bytes, of which the first `#read` have been given as text. */
  #first = empty;
  #read = 0;

  constructor(contentType: string | undefined) {
    this.#declared = encodingOfContentType(contentType);
  }

  /** The text that is certain by now. All of it together is the same, however the bytes are cut. */
  write(bytes: Uint8Array): string {
    if (bytes.length === 0) return "";
    if (this.#decoder) return this.#decode(this.#decoder, bytes);
    this.#first = this.#first.length === 0 ? bytes : Buffer.concat([this.#first, bytes]);
    const text = this.#readFirst({ isWhole: this.#first.length >= prescanBytes });
    // What is kept is kept in memory of our own: the giver may use its own again.
    if (this.#first === bytes) this.#first = new Uint8Array(bytes);
    return text;
  }

  /** The text that waited for the encoding. Bytes of a sign that is not whole are left out. */
  end(): string {
    return this.#decoder ? "" : this.#readFirst({ isWhole: true });
  }

  #readFirst({ isWhole }: { readonly isWhole: boolean }): string {
    const first = this.#first;
    // A mark has up to three bytes, the first of which is no ASCII.
    if (first.length < 3 && !isWhole && first[0] !== undefined && first[0] >= 0x80) return "";
    const mark = this.#read === 0 ? findByteOrderMark(first) : undefined;
    const encoding = mark?.encoding ?? this.#declared ?? prescanEncoding(first, { isWhole });
    if (encoding === undefined && !isWhole) {
      const from = this.#read;
      this.#read = Math.max(from, plainLength(first, from));
      return asBuffer(first.subarray(from, this.#read)).toString("latin1");
    }
    this.#decoder = new TextDecoder(encoding ?? fallback, { ignoreBOM: true });
    this.#isPlain = plainEncodings.has(this.#decoder.encoding);
    this.#first = empty;
    return this.#decode(this.#decoder, first.subarray(Math.max(mark?.byteLength ?? 0, this.#read)));
  }

  #decode(decoder: TextDecoder, bytes: Uint8Array): string {
    this.#isPlain &&= isAscii(bytes);
    return this.#isPlain ? asBuffer(bytes).toString("latin1") : decoder.decode(bytes, { stream: true });
  }
}
