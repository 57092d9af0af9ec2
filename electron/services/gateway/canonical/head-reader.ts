// From a response's body as it comes to what the page says of its canonical address: decoding and finding, composed.
import { createBodyDecoder } from "./body-decoder.ts";
import { createCanonicalFinder } from "./canonical-finder.ts";
import type { HeadFinding, HeadReader } from "./canonical.ts";
import { BodyDecodingError, type TakeBytes } from "./compressed-stream.ts";

export interface HeadReaderOptions {
  /** The response's headers. */
  readonly contentEncoding: string | undefined;
  readonly contentType: string | undefined;
}

export function createHeadReader({ contentEncoding, contentType }: HeadReaderOptions): HeadReader {
  const decoder = createBodyDecoder(contentEncoding);
  const finder = createCanonicalFinder({ contentType });
  let finding: HeadFinding | undefined = decoder
    ? undefined
    : { kind: "undecodable", cause: "unknown-encoding" };
  const take: TakeBytes = (piece) => (finding = finder.write(piece)) === undefined;

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
