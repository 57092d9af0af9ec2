// Reads a response's body as the origin sends it, up to the canonical link: decompresses and finds.
import { createBodyDecoder } from "./body-decoder.ts";
import { createCanonicalFinder } from "./canonical-finder.ts";
import { BodyDecodingError, type TakeBytes } from "./compressed-stream.ts";
import type { CanonicalFinding } from "./head-tree.ts";

export type HeadFinding =
  | CanonicalFinding
  /** The Content-Encoding is not one of `decodedEncodings`, or the bytes are not valid in it. */
  | { readonly kind: "undecodable"; readonly cause: "unknown-encoding" | "broken" };

/** Accepts a response's body in chunks. Each call waits for the one before. */
export interface HeadReader {
  /** Returns the finding as soon as it is known; a promise if decoding takes time. Never throws because of the body. */
  readonly write: (bytes: Uint8Array) => HeadFinding | undefined | Promise<HeadFinding | undefined>;
  readonly end: () => HeadFinding | Promise<HeadFinding>;
  /** Releases the decompressor; happens automatically once the finding is known. Idempotent. */
  readonly close: () => void;
}

export interface HeadReaderOptions {
  /** Headers of the response. */
  readonly contentEncoding: string | undefined;
  readonly contentType: string | undefined;
}

export function createHeadReader({ contentEncoding, contentType }: HeadReaderOptions): HeadReader {
  const decoder = createBodyDecoder(contentEncoding);
  const finder = createCanonicalFinder({ contentType });
  let finding: HeadFinding | undefined = decoder
    ? undefined
    : { kind: "undecodable", cause: "unknown-encoding" };
  const take: TakeBytes = (chunk) => (finding = finder.write(chunk)) === undefined;

  const decide = (decided: HeadFinding): HeadFinding => {
    decoder?.close();
    return (finding ??= decided);
  };
  const settle = async (decoding: Promise<void>): Promise<HeadFinding | undefined> => {
    try {
      await decoding;
    } catch (error) {
      if (!(error instanceof BodyDecodingError)) throw error;
      return decide({ kind: "undecodable", cause: "broken" });
    }
    if (finding) return finding;
    switch (decoder?.state()) {
      case "exhausted":
        return decide({ kind: "beyond-limit" });
      case "over":
        return decide(finder.end());
      default:
        return undefined;
    }
  };

  return {
    write: (bytes) => {
      if (finding || !decoder) return finding;
      const decoding = decoder.write(bytes, take);
      return decoding ? settle(decoding) : finding;
    },
    end: () => finding ?? decide(finder.end()),
    close: () => decoder?.close(),
  };
}
