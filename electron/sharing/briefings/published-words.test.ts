import { expect, test } from "vitest";
import { toPublishedWords } from "./published-words.ts";

const twelve = "12 revisions have their pages";

test.each([
  [12, 38, 0, 0, `${twelve}: 38 files written.`],
  [12, 0, 38, 0, `${twelve}. Nothing had changed: 38 files are as they were.`],
  [12, 1, 37, 0, `${twelve}: 1 file written, 37 unchanged.`],
  [12, 3, 34, 1, `${twelve}: 3 files written, 1 removed, 34 unchanged.`],
  [12, 0, 36, 1, `${twelve}: 1 file removed, 36 unchanged.`],
  [1, 4, 0, 0, "1 revision has its page: 4 files written."],
])(
  "%i pages, %i files written, %i unchanged, %i removed",
  (revisionPages, written, unchanged, removed, words) => {
    expect(toPublishedWords({ revisionPages, written, unchanged, removed })).toBe(words);
  },
);
