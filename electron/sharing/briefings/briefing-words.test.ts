import { expect, test } from "vitest";
import { toPublishedWords } from "./briefing-words.ts";

test.each([
  [12, 38, 0, 0, "Published 12 revisions: 38 files written."],
  [12, 0, 38, 0, "Published 12 revisions. Nothing changed in 38 files."],
  [12, 1, 37, 0, "Published 12 revisions: 1 file written, 37 unchanged."],
  [12, 3, 34, 1, "Published 12 revisions: 3 files written, 1 removed, 34 unchanged."],
  [12, 0, 36, 1, "Published 12 revisions: 1 file removed, 36 unchanged."],
  [1, 4, 0, 0, "Published 1 revision: 4 files written."],
])(
  "%i pages, %i files written, %i unchanged, %i removed",
  (revisionPages, written, unchanged, removed, words) => {
    expect(toPublishedWords({ revisionPages, written, unchanged, removed })).toBe(words);
  },
);
