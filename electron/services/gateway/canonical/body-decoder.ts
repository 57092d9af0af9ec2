// The bytes of a response's body as they are without its Content-Encoding, in pieces, as far as they are wanted. Hostile
// bodies are bounded: by what is taken, by how much is looked at, and by how many streams follow each other.
import { headBytes } from "./canonical.ts";
import {
  BodyDecodingError,
  CompressedStream,
  type Compression,
  type TakeBytes,
} from "./compressed-stream.ts";
import {
  findBrotliStream,
  findDeflateHeader,
  findGzipHeader,
  findZstdFrame,
  type CompressionHeader,
} from "./compression-headers.ts";

/** What an origin may be asked for, as in `Accept-Encoding`. */
export const decodedEncodings = "gzip, deflate, br, zstd";

/** An origin that flushes after each byte sends many bytes for one; more than so many are no page's head. */
const mostCompressedBytes = 4 * headBytes;
/** gzip files and zstd frames may follow each other. */
const mostStreams = 512;
/** A gzip file's header may hold names and remarks. */
const mostHeaderBytes = 16_384;

/** Decodes one body. Each call waits for the one before. */
export interface BodyDecoder {
  /**
   * Gives what the bytes hold to `take`, in order, until that wants no more. A promise where that takes its time.
   * @throws BodyDecodingError for bytes that are not the encoding's
   */
  readonly write: (bytes: Uint8Array, take: TakeBytes) => undefined | Promise<void>;
  /** Over: nothing more is in the body, whatever comes. Exhausted: no more of it is looked at. */
  readonly state: () => "open" | "over" | "exhausted";
  /** Idempotent. */
  readonly close: () => void;
}

interface Encoding {
  readonly compression: Compression;
  readonly findHeader: (bytes: Uint8Array) => CompressionHeader;
  /** Another stream may follow, so many bytes behind the end of one. */
  readonly trailerBytes: number | undefined;
}

const gzip: Encoding = { compression: "deflate", findHeader: findGzipHeader, trailerBytes: 8 };
const encodings: ReadonlyMap<string, Encoding> = new Map([
  ["gzip", gzip],
  ["x-gzip", gzip],
  ["deflate", { compression: "deflate", findHeader: findDeflateHeader, trailerBytes: undefined }],
  ["br", { compression: "br", findHeader: findBrotliStream, trailerBytes: undefined }],
  ["zstd", { compression: "zstd", findHeader: findZstdFrame, trailerBytes: 0 }],
]);

const nothing = new Uint8Array();

/** Streams of one sort, one behind the other. What follows the last and is no stream is left alone, as browsers do. */
class StreamsDecoder implements BodyDecoder {
  readonly #encoding: Encoding;
  #stream: CompressedStream | undefined;
  #streams = 0;
  #lookedAt = 0;
  #isOver = false;
  /** Of a header that is not whole. */
  #header = nothing;
  #trailerLeft = 0;

  constructor(encoding: Encoding) {
    this.#encoding = encoding;
  }

  state(): ReturnType<BodyDecoder["state"]> {
    if (this.#lookedAt >= mostCompressedBytes || this.#streams > mostStreams) return "exhausted";
    return this.#isOver ? "over" : "open";
  }

  async write(bytes: Uint8Array, take: TakeBytes): Promise<void> {
    let rest = bytes.subarray(0, mostCompressedBytes - this.#lookedAt);
    this.#lookedAt += rest.length;
    while (rest.length > 0 && !this.#isOver) {
      rest = this.#stream ? await this.#decode(this.#stream, rest, take) : this.#open(rest);
    }
  }

  close(): void {
    this.#isOver = true;
    this.#header = nothing;
    this.#stream?.close();
  }

  async #decode(stream: CompressedStream, bytes: Uint8Array, take: TakeBytes): Promise<Uint8Array> {
    const { state, rest } = await stream.write(bytes, take);
    if (state === "open") return nothing;
    stream.close();
    this.#stream = undefined;
    this.#isOver ||= state === "unwanted" || this.#encoding.trailerBytes === undefined;
    this.#trailerLeft = this.#encoding.trailerBytes ?? 0;
    return rest;
  }

  /** Begins the next stream, once its header is whole; gives the bytes behind what it has used. */
  #open(bytes: Uint8Array): Uint8Array {
    const trailer = Math.min(this.#trailerLeft, bytes.length);
    this.#trailerLeft -= trailer;
    const start = Buffer.concat([this.#header, bytes.subarray(trailer)]);
    const header = this.#encoding.findHeader(start);
    if (header === "incomplete" && start.length <= mostHeaderBytes) {
      this.#header = start;
      return nothing;
    }
    if (typeof header !== "number") {
      if (this.#streams === 0) throw new BodyDecodingError("The body does not begin as its encoding does.");
      this.#isOver = true;
      return nothing;
    }
    this.#header = nothing;
    this.#streams += 1;
    if (this.#streams > mostStreams) this.#isOver = true;
    else this.#stream = new CompressedStream(this.#encoding.compression);
    return start.subarray(header);
  }
}

const identity: BodyDecoder = {
  write: (bytes, take) => void take(bytes),
  state: () => "open",
  close: () => undefined,
};

/** @param encoding The response's `Content-Encoding`. Undefined for one that is not decoded here, or for several. */
export function createBodyDecoder(encoding: string | undefined): BodyDecoder | undefined {
  const name = (encoding ?? "").trim().toLowerCase();
  if (name === "" || name === "identity") return identity;
  const known = encodings.get(name);
  return known && new StreamsDecoder(known);
}
