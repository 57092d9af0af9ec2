// Decodes a response's body by its Content-Encoding, in chunks, as far as it is wanted. Hostile bodies are bounded by
// the bytes that are read and decoded and by the number of streams that follow each other.
import { canonicalLimits } from "../gateway-limits.ts";
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

/** The encodings that an origin may be asked for, as in `Accept-Encoding`. */
export const decodedEncodings = "gzip, deflate, br, zstd";

/** Decodes one body. Each call waits for the one before. */
export interface BodyDecoder {
  /**
   * Passes the decoded bytes to `take`, in order, until it wants no more. Returns a promise if that takes time.
   * @throws BodyDecodingError for bytes that are not the encoding's
   */
  readonly write: (bytes: Uint8Array, take: TakeBytes) => undefined | Promise<void>;
  /** "over": the body has nothing more. "exhausted": no more of it is read. */
  readonly state: () => "open" | "over" | "exhausted";
  /** Idempotent. */
  readonly close: () => void;
}

interface Encoding {
  readonly compression: Compression;
  readonly findHeader: (bytes: Uint8Array) => CompressionHeader;
  /** Length in bytes of the trailer before the next stream; undefined if no stream may follow. */
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

/** Decodes streams of one kind that follow each other. Ignores bytes after the last one, as browsers do. */
class StreamsDecoder implements BodyDecoder {
  readonly #encoding: Encoding;
  #stream: CompressedStream | undefined;
  #streams = 0;
  #lookedAt = 0;
  #isOver = false;
  /** Beginning of an incomplete header. */
  #header = nothing;
  #trailerLeft = 0;

  constructor(encoding: Encoding) {
    this.#encoding = encoding;
  }

  state(): ReturnType<BodyDecoder["state"]> {
    if (this.#lookedAt >= canonicalLimits.compressedBytes) return "exhausted";
    if (this.#streams > canonicalLimits.compressedStreams) return "exhausted";
    return this.#isOver ? "over" : "open";
  }

  async write(bytes: Uint8Array, take: TakeBytes): Promise<void> {
    let rest = bytes.subarray(0, canonicalLimits.compressedBytes - this.#lookedAt);
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

  /** Begins the next stream once its header is complete; returns the bytes after those it used. */
  #open(bytes: Uint8Array): Uint8Array {
    const trailer = Math.min(this.#trailerLeft, bytes.length);
    this.#trailerLeft -= trailer;
    const start = Buffer.concat([this.#header, bytes.subarray(trailer)]);
    const header = this.#encoding.findHeader(start);
    if (header === "incomplete" && start.length <= canonicalLimits.gzipHeaderBytes) {
      this.#header = start;
      return nothing;
    }
    if (typeof header !== "number") {
      if (this.#streams === 0)
        throw new BodyDecodingError("The body does not begin as its encoding requires.");
      this.#isOver = true;
      return nothing;
    }
    this.#header = nothing;
    this.#streams += 1;
    if (this.#streams > canonicalLimits.compressedStreams) this.#isOver = true;
    else this.#stream = new CompressedStream(this.#encoding.compression);
    return start.subarray(header);
  }
}

const identity: BodyDecoder = {
  write: (bytes, take) => void take(bytes),
  state: () => "open",
  close: () => undefined,
};

/** Returns undefined for a Content-Encoding that is not decoded here, and for several of them. */
export function createBodyDecoder(encoding: string | undefined): BodyDecoder | undefined {
  const name = (encoding ?? "").trim().toLowerCase();
  if (name === "" || name === "identity") return identity;
  const known = encodings.get(name);
  return known && new StreamsDecoder(known);
}
