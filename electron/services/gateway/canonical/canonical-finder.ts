// From the bytes of an uncompressed page, in pieces, to what it says of its canonical address.
import { headBytes, type CanonicalFinder, type CanonicalFinding } from "./canonical.ts";
import { CharacterStream } from "./character-stream.ts";
import { HeadParser } from "./head-parser.ts";

/**
 * Only the first bytes that count are ever decoded and parsed, and a tag is a tag once its `>` is there: so a canonical
 * that is found ends within them, to the byte, whatever a sign takes in the page's encoding.
 * @param contentType The response's header.
 */
export function createCanonicalFinder({
  contentType,
}: {
  readonly contentType: string | undefined;
}): CanonicalFinder {
  const characters = new CharacterStream(contentType);
  const parser = new HeadParser();
  let left = headBytes;
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
