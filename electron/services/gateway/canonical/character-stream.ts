// Decodes a page's bytes to text, in chunks. The encoding is that of the byte order mark, else of the Content-Type,
// else of a declaration in the first bytes, else windows-1252. Bytes that mean the same in every encoding are decoded
// at once.
import { isAscii } from "node:buffer";
import { canonicalLimits } from "../gateway-limits.ts";
import { encodingOfContentType, prescanEncoding } from "./page-encoding.ts";

const fallback = "windows-1252";
/** In these encodings, an ASCII chunk is its own text and needs no decoder. */
const plainEncodings: ReadonlySet<string> = new Set(["utf-8", fallback]);
const empty: Uint8Array = new Uint8Array();

/**
 * Returns the length of the prefix that is the same text in every encoding that a page can declare: ASCII without the
 * bytes that switch ISO-2022-JP, and without zeros, which suggest UTF-16.
 */
function plainLength(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x80 || byte === 0 || byte === 0x1b || byte === 0x0e || byte === 0x0f) break;
  }
  // `<` followed by zero may begin UTF-16; only the second byte tells.
  return at < 2 ? 0 : at;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns the length of a byte order mark in bytes, 0 without one. */
function markLength(bytes: Uint8Array): number {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 3;
  return (first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe) ? 2 : 0;
}

export class CharacterStream {
  readonly #declared: string | undefined;
  #decoder: TextDecoder | undefined;
  /** The decoder has been given nothing, so it is not inside a character. */
  #isPlain = false;
  /** The first bytes while the encoding is unknown; `#read` of them have been returned as text. */
  #first = empty;
  #read = 0;

  constructor(contentType: string | undefined) {
    this.#declared = encodingOfContentType(contentType);
  }

  /** Returns the text that is certain so far; the total does not depend on how the bytes are cut. */
  write(bytes: Uint8Array): string {
    if (bytes.length === 0) return "";
    if (this.#decoder) return this.#decode(this.#decoder, bytes);
    this.#first = this.#first.length === 0 ? bytes : Buffer.concat([this.#first, bytes]);
    const text = this.#readFirst({ isWhole: this.#first.length >= canonicalLimits.prescanBytes });
    // The caller may reuse its buffer.
    if (this.#first === bytes) this.#first = new Uint8Array(bytes);
    return text;
  }

  /** Returns the text that waited for the encoding, without an incomplete character. */
  end(): string {
    return this.#decoder ? "" : this.#readFirst({ isWhole: true });
  }

  #readFirst({ isWhole }: { readonly isWhole: boolean }): string {
    const first = this.#first;
    // A byte order mark has up to three bytes, the first of which is not ASCII.
    if (first.length < 3 && !isWhole && first[0] !== undefined && first[0] >= 0x80) return "";
    const mark = this.#read === 0 ? markLength(first) : 0;
    const declared = mark > 0 ? undefined : this.#declared;
    const encoding = declared ?? prescanEncoding(first, { isWhole });
    if (encoding === undefined && !isWhole) {
      const from = this.#read;
      this.#read = Math.max(from, plainLength(first, from));
      return asBuffer(first.subarray(from, this.#read)).toString("latin1");
    }
    this.#decoder = new TextDecoder(encoding ?? fallback, { ignoreBOM: true });
    this.#isPlain = plainEncodings.has(this.#decoder.encoding);
    this.#first = empty;
    return this.#decode(this.#decoder, first.subarray(Math.max(mark, this.#read)));
  }

  #decode(decoder: TextDecoder, bytes: Uint8Array): string {
    this.#isPlain &&= isAscii(bytes);
    return this.#isPlain ? asBuffer(bytes).toString("latin1") : decoder.decode(bytes, { stream: true });
  }
}
