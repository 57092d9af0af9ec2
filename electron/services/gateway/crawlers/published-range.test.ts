import { expect, test } from "vitest";
import { parsePublishedRange } from "./published-range.ts";

test.each([
  ...[
    "",
    "192.0.2.1",
    "192.0.2.1/33",
    "192.0.2/24",
    "192.0.2.1/-1",
    "192.0.2.1/ 24",
    "::/129",
    "fe80::%1/64",
  ],
  ...["0.0.0.0/0", "1.0.0.0/7", "::/0", "2000::/3", "::ffff:0.0.0.0/96"],
])("%j is not a range of a crawler", (text) => {
  expect(parsePublishedRange(text)).toBeUndefined();
});

test.each(["10.0.0.0/8", "2001::/16", "192.0.2.1/32", "::ffff:10.0.0.0/104"])("%j is one", (text) => {
  expect(parsePublishedRange(text)).toBeDefined();
});
