import { resolve } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "./option-values.ts";
import { parseFeedSource, parseFileSource } from "./feed-source-option.ts";

test("each kind of source is parsed", () => {
  expect(parseFeedSource("noaa", "feed")).toEqual({ kind: "noaa" });
  expect(parseFeedSource("bucket:http://10.0.0.5:9000/mrms", "feed")).toEqual({
    kind: "bucket",
    url: "http://10.0.0.5:9000/mrms/",
  });
  expect(parseFeedSource("folder:incoming/a:b", "feed")).toEqual({
    kind: "folder",
    directory: resolve("incoming/a:b"),
  });
  expect(parseFeedSource("mirror:http://storms.local:47800", "feed")).toEqual({
    kind: "mirror",
    url: "http://storms.local:47800/",
  });
});

test.each([
  "",
  "noaa:",
  "noaa:x",
  "bucket",
  "bucket:",
  "bucket:ftp://x/",
  "bucket:not a url",
  "bucket:http://me:secret@x/",
  "bucket:http://x/?list-type=2",
  "folder:",
  "NOAA",
])("%j is an invalid command line", (text) => {
  expect(() => parseFeedSource(text, "feed")).toThrow(UsageError);
});

test("a mirror cannot be the source of a fetch", () => {
  expect(parseFileSource("noaa")).toEqual({ kind: "noaa" });
  expect(() => parseFileSource("mirror:http://storms.local:47800")).toThrow(UsageError);
});
