import { expect, test } from "vitest";
import { UsageError } from "./option-values.ts";
import { parseRevisionList } from "./revision-list.ts";

test.each([
  ["3", { sequences: [3] }],
  ["3,5,9-12", { sequences: [3, 5, 9, 10, 11, 12] }],
  ["5, 4-6,4", { sequences: [5, 4, 6] }],
  ["all", { newest: Infinity }],
  ["latest", { newest: 1 }],
  ["latest:30", { newest: 30 }],
])("%j selects the listed revisions", (text, choice) => {
  expect(parseRevisionList(text)).toEqual(choice);
});

test.each(["", "0", "3,,4", "3-", "-3", "9-3", "1-999999999", "latest:0", "latest:", "newest", "1.5", "١"])(
  "%j is refused",
  (text) => {
    expect(() => parseRevisionList(text)).toThrow(UsageError);
  },
);
