// One compressed stream in chunks, through Node's decompressors: decodes as much as is wanted, and finds where the
// stream ends among the bytes it was given.
import {
  constants,
  createBrotliDecompress,
  createInflateRaw,
  createZstdDecompress,
  type BrotliDecompress,
  type InflateRaw,
  type ZstdDecompress,
} from "node:zlib";

import { canonicalLimits } from "../gateway-limits.ts";

/** Receives decoded bytes, which are valid until it returns; returns true if it wants more. */
export type TakeBytes = (bytes: Uint8Array) => boolean;

/** Length of a decoded chunk: what a stream may decode in vain once the caller has enough. */
const chunkSize = 32_768;

export type Compression = "deflate" | "br" | "zstd";
type Decompressor = InflateRaw | BrotliDecompress | ZstdDecompress;

function createDecompressor(compression: Compression): Decompressor {
  switch (compression) {
    case "deflate":
      return createInflateRaw({ chunkSize });
    case "br":
      return createBrotliDecompress({ chunkSize });
    case "zstd":
      return createZstdDecompress({
        chunkSize,
        params: { [constants.ZSTD_d_windowLogMax]: canonicalLimits.zstdWindowLog },
      });
  }
}

export interface Decompressed {
  /** "open": the stream continues. "ended": it ends among the bytes given. "unwanted": the caller has enough. */
  readonly state: "open" | "ended" | "unwanted";
  /** The bytes given that are not part of the stream. */
  readonly rest: Uint8Array;
}

type Outcome = Decompressed["state"] | { readonly error: unknown };

/** Reports bytes that are not valid in their encoding. */
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
      .on("data", (chunk: Buffer) => {
        this.#offer(chunk);
      })
      .on("end", () => this.#settle?.("ended"))
      .on("error", (cause) => {
        this.#settle?.({
          error: new BodyDecodingError("The body is not valid in its encoding.", { cause }),
        });
      });
  }

  /**
   * Resolves once `take` has received all that the bytes hold, or enough.
   * @throws BodyDecodingError, and what `take` throws
   */
  async write(bytes: Uint8Array, take: TakeBytes): Promise<Decompressed> {
    if (this.#decompressor.destroyed) return { state: "unwanted", rest: bytes.subarray(bytes.length) };
    this.#take = take;
    this.#givenBytes += bytes.length;
    const outcome = await new Promise<Outcome>((resolve) => {
      this.#settle = resolve;
      this.#decompressor.write(bytes, (error) => {
        // The error event reports faults; a call that was cut short has been answered.
        if (!error) resolve("open");
      });
    });
    if (typeof outcome === "object") throw outcome.error;
    const restBytes = outcome === "ended" ? this.#givenBytes - this.#decompressor.bytesWritten : 0;
    return { state: outcome, rest: bytes.subarray(bytes.length - restBytes) };
  }

  /** Answers a pending call with "unwanted". */
  close(): void {
    this.#settle?.("unwanted");
    this.#decompressor.destroy();
  }

  #offer(chunk: Uint8Array): void {
    try {
      if (this.#take?.(chunk) === false) this.close();
    } catch (error) {
      this.#settle?.({ error });
      this.close();
    }
  }
}
