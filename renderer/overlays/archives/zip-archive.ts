// Reads ZIP archives by their central directory (PKWARE APPNOTE 4.3), within limits that hold while a file is unpacked:
// what an archive says of its sizes is only believed once it is so.
import { Inflate } from "fflate";
import { overlayLimits } from "../../../shared/overlays/overlay.ts";
import { refuse } from "../../../shared/overlays/reading/shape-gatherer.ts";

export interface ZipEntry {
  /** With folders, such as `files/doc.kml`. */
  readonly name: string;
  readonly unpack: () => Uint8Array<ArrayBuffer>;
}

const mostEntries = 500;
/** Bytes given to the inflater at once: they become 16 MB at most. */
const sliceBytes = 16 * 1024;

const signatures = { end: 0x06054b50, entry: 0x02014b50, file: 0x04034b50 } as const;
const endBytes = 22;
const entryBytes = 46;
const fileBytes = 30;
const methods = { stored: 0, deflated: 8 } as const;
const encryptedFlag = 1;
/** Value that sends a reader to the 64-bit fields. */
const in64Bits = 0xffffffff;

const unsafeName = /(?:^|\/)\.\.(?:\/|$)|^\/|\\|^[a-z]:|\p{Cc}/iu;
const nestedName = /\.(?:zip|kmz|gz|tgz|tar|7z|rar|bz2|xz)$/i;

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
}

/** Lists the files of an archive; throws AppError if any of them must not be there. */
export function openZip(bytes: Uint8Array, archiveName: string): ZipEntry[] {
  return new ZipReader(bytes, archiveName).listEntries();
}

interface EntryHead {
  readonly name: string;
  readonly method: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly fileAt: number;
}

class ZipReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #name: string;

  constructor(bytes: Uint8Array, archiveName: string) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#name = archiveName;
  }

  listEntries(): ZipEntry[] {
    try {
      return this.#listHeads()
        .filter(({ name }) => !name.endsWith("/") && !name.startsWith("__MACOSX/"))
        .map((head) => ({ name: head.name, unpack: () => this.#unpack(head) }));
    } catch (error) {
      throw error instanceof RangeError ? this.#damaged() : error;
    }
  }

  #listHeads(): EntryHead[] {
    const end = this.#findEnd();
    const count = this.#view.getUint16(end + 10, true);
    if (count > mostEntries) throw refuse(this.#name, `has more than ${mostEntries} files inside`);
    const heads: EntryHead[] = [];
    let total = 0;
    let at = this.#view.getUint32(end + 16, true);
    for (let index = 0; index < count; index += 1) {
      const { head, next } = this.#readHead(at);
      total += head.unpackedBytes;
      if (total > overlayLimits.unpackedBytes) throw this.#tooLarge();
      heads.push(head);
      at = next;
    }
    return heads;
  }

  /** Finds the end record, which a comment may follow. */
  #findEnd(): number {
    const first = Math.max(0, this.#bytes.length - endBytes - 0xffff);
    for (let at = this.#bytes.length - endBytes; at >= first; at -= 1)
      if (this.#view.getUint32(at, true) === signatures.end) return at;
    throw this.#damaged();
  }

  #readHead(at: number): { readonly head: EntryHead; readonly next: number } {
    const view = this.#view;
    if (view.getUint32(at, true) !== signatures.entry) throw this.#damaged();
    if (view.getUint16(at + 8, true) & encryptedFlag) throw refuse(this.#name, "is encrypted");
    const nameLength = view.getUint16(at + 28, true);
    const next = at + entryBytes + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const name = new TextDecoder().decode(this.#slice(at + entryBytes, nameLength));
    const head = {
      name,
      method: view.getUint16(at + 10, true),
      packedBytes: view.getUint32(at + 20, true),
      unpackedBytes: view.getUint32(at + 24, true),
      fileAt: view.getUint32(at + 42, true),
    };
    if (head.unpackedBytes === in64Bits) throw this.#tooLarge();
    if (unsafeName.test(name)) throw refuse(this.#name, "has a file inside whose path leads out of it");
    if (nestedName.test(name)) throw refuse(this.#name, "has another archive inside");
    return { head, next };
  }

  #unpack({ fileAt, method, packedBytes, unpackedBytes }: EntryHead): Uint8Array<ArrayBuffer> {
    try {
      if (this.#view.getUint32(fileAt, true) !== signatures.file) throw this.#damaged();
      const nameLength = this.#view.getUint16(fileAt + 26, true);
      const extraLength = this.#view.getUint16(fileAt + 28, true);
      const packed = this.#slice(fileAt + fileBytes + nameLength + extraLength, packedBytes);
      if (method === methods.deflated) return this.#inflate(packed, unpackedBytes);
      if (method === methods.stored && packedBytes === unpackedBytes) return packed.slice();
    } catch (error) {
      throw error instanceof RangeError ? this.#damaged() : error;
    }
    throw this.#damaged();
  }

  /** Stops as soon as there is more than the archive says, which the limit has bounded. */
  #inflate(packed: Uint8Array, unpackedBytes: number): Uint8Array<ArrayBuffer> {
    const unpacked = new Uint8Array(unpackedBytes);
    let length = 0;
    const inflate = new Inflate((chunk) => {
      if (length + chunk.length > unpackedBytes) throw this.#damaged();
      unpacked.set(chunk, length);
      length += chunk.length;
    });
    try {
      for (let at = 0; at < packed.length; at += sliceBytes)
        inflate.push(packed.subarray(at, at + sliceBytes), at + sliceBytes >= packed.length);
    } catch (cause) {
      throw this.#damaged(cause);
    }
    if (length !== unpackedBytes) throw this.#damaged();
    return unpacked;
  }

  #slice(at: number, length: number): Uint8Array {
    if (at + length > this.#bytes.length) throw this.#damaged();
    return this.#bytes.subarray(at, at + length);
  }

  #damaged(cause?: unknown): Error {
    return refuse(this.#name, "is damaged: it cannot be unpacked", cause);
  }

  #tooLarge(): Error {
    return refuse(this.#name, `has more than ${overlayLimits.unpackedBytes / 1024 ** 2} MB inside`);
  }
}
