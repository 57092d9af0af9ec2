import { describe, expect, test } from "vitest";
import { publicationsOf, toRevisions } from "../state/timeline/revisions.ts";
import { exampleHistory, type ExampleFrame } from "../support/example-data.ts";
import { publicationWords } from "./state-text.ts";

/** Returns the words for the last frame. */
function wordsOf(frames: readonly ExampleFrame[]): string {
  const revisions = toRevisions(exampleHistory(frames));
  const publication = publicationsOf(revisions).at(-1)!;
  return publicationWords(publication, revisions.at(-1)!, revisions[publication.supersedes ?? -1]);
}

describe("a publication in words", () => {
  test("is a first version, or a correction with the revision that it replaces", () => {
    const first: ExampleFrame = { sequence: 1, minute: 0 };
    expect(wordsOf([first])).toBe("First version");
    expect(wordsOf([first, { sequence: 2, minute: 0, variant: "b" }])).toBe("Correction of revision 1");
    const later: ExampleFrame = { sequence: 2, minute: 2 };
    const correction: ExampleFrame = { sequence: 3, minute: 0, variant: "b" };
    expect(wordsOf([first, later, correction])).toBe("Late correction of revision 1");
  });

  test("names the added layer, and the revision of the other one", () => {
    const both: ExampleFrame = { sequence: 14, minute: 0 };
    expect(wordsOf([{ sequence: 13, minute: 0, only: "mrms-reflectivity" }, both])).toBe(
      "Hail added (reflectivity was revision 13)",
    );
    expect(wordsOf([{ sequence: 13, minute: 0, only: "mrms-mesh" }, both])).toBe(
      "Reflectivity added (hail was revision 13)",
    );
  });

  test("says that an older frame arrived late, or that its earlier versions are not loaded", () => {
    const lateFrom = (sequence: number): ExampleFrame[] => [
      { sequence, minute: 2 },
      { sequence: sequence + 1, minute: 0 },
    ];
    expect(wordsOf(lateFrom(1))).toBe("Late arrival: older frame filled in");
    expect(wordsOf(lateFrom(7))).toBe("Older frame; its earlier versions are not loaded");
  });
});
