// One compressed stream, in pieces, through Node's decompressors: as much of it is decoded as is wanted, and it is known
// where it ends among the bytes given.
import {
  constants,
  createBrotliDecompress,
  createInflateRaw,
  createZstdDecompress,
  type BrotliDecompress,
  type InflateRaw,
  type ZstdDecompress,
} from "node:zlib";

/** Takes decoded bytes, which stay as they are only until it returns; says whether it wants more. */
export type TakeBytes = (bytes: Uint8Array) => boolean;

/** Decoded bytes come in pieces of at most so many: what a stream may decode in vain, once enough is there. */
const pieceBytes = 32_768;
/** RFC 9659: no window of a page is larger than 8 MiB. */
const zstdWindowLog = 23;

export type Compression = "deflate" | "br" | "zstd";
type Decompressor = InflateRaw | BrotliDecompress | ZstdDecompress;

function createDecompressor(compression: Compression): Decompressor {
  switch (compression) {
    case "deflate":
      return createInflateRaw({ chunkSize: pieceBytes });
    case "br":
      return createBrotliDecompress({ chunkSize: pieceBytes });
    case "zstd":
      return createZstdDecompress({
        chunkSize: pieceBytes,
        params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLog },
      });
  }
}

export interface Decompressed {
  /** It goes on, it ends among the bytes given, or no more of it was wanted. */
  readonly state: "open" | "ended" | "unwanted";
  /** Bytes of those given that are not the stream's. */
  readonly rest: Uint8Array;
}

type Outcome = Decompressed["state"] | { readonly error: unknown };

/** The bytes are not what their encoding says. */
export class BodyDecodingError extends Error {
  override readonly name = "BodyDecodingError";
}

export class CompressedStream {
  readonly #decompressor: Decompressor;
  #take: TakeBytes | undefined;
  #givenBytes = 0;
  #settle: ((outcome: Outcome) => void) | undefined;

  constructor(compression: Compression) {
    this.#decompressor = createDecompressor(compression);
    this.#decompressor
      .on("data", (piece: Buffer) => {
        this.#offer(piece);
      })
      .on("end", () => this.#settle?.("ended"))
      .on("error", (cause) => {
        this.#settle?.({
          error: new BodyDecodingError("The body is not what its encoding says.", { cause }),
        });
      });
  }

  /** Resolves once all that the bytes hold has been taken, or enough. @throws BodyDecodingError, and what `take` throws */
  async write(bytes: Uint8Array, take: TakeBytes): Promise<Decompressed> {
    if (this.#decompressor.destroyed) return { state: "unwanted", rest: bytes.subarray(bytes.length) };
    this.#take = take;
    this.#givenBytes += bytes.length;
    const outcome = await new Promise<Outcome>((resolve) => {
      this.#settle = resolve;
      this.#decompressor.write(bytes, (error) => {
        // What is wrong is told by an event, once; a call that was cut off because enough is there has been answered.
        if (!error) resolve("open");
      });
    });
    if (typeof outcome === "object") throw outcome.error;
    const restBytes = outcome === "ended" ? this.#givenBytes - this.#decompressor.bytesWritten : 0;
    return { state: outcome, rest: bytes.subarray(bytes.length - restBytes) };
  }

  /** A call that has not been answered finds no more wanted. */
  close(): void {
    this.#settle?.("unwanted");
    this.#decompressor.destroy();
  }

  #offer(piece: Uint8Array): void {
    try {
      if (this.#take?.(piece) === false) this.close();
    } catch (error) {
      this.#settle?.({ error });
      this.close();
    }
  }
}
