// Finds the canonical link in the bytes of an uncompressed page that arrives in chunks.
import { canonicalLimits } from "../gateway-limits.ts";
import { CharacterStream } from "./character-stream.ts";
import { HeadParser } from "./head-parser.ts";
import type { CanonicalFinding } from "./head-tree.ts";

/** Accepts the uncompressed body from its first byte, in chunks of any size. */
export interface CanonicalFinder {
  /** Returns the finding as soon as it is known, and the same one from then on. */
  readonly write: (bytes: Uint8Array) => CanonicalFinding | undefined;
  /** Ends the body. */
  readonly end: () => CanonicalFinding;
}

/**
 * Creates a finder. It decodes and parses the first `headBytes` only, and a tag counts once its `>` is there: a link
 * that is found ends within them to the byte, in any encoding. `contentType` is the response's header.
 */
export function createCanonicalFinder({
  contentType,
}: {
  readonly contentType: string | undefined;
}): CanonicalFinder {
  const characters = new CharacterStream(contentType);
  const parser = new HeadParser();
  let left: number = canonicalLimits.headBytes;
  let finding: CanonicalFinding | undefined;

  return {
    write: (bytes) => {
      if (finding) return finding;
      const counting = bytes.subarray(0, left);
      left -= counting.length;
      finding = parser.write(characters.write(counting));
      if (left === 0) finding ??= { kind: "beyond-limit" };
      return finding;
    },
    end: () => (finding ??= parser.write(characters.end()) ?? { kind: "none" }),
  };
}
