import { expect, test } from "vitest";
import { splitLiveSource } from "./live-text.ts";

test.each([
  ["noaa", "noaa", ""],
  ["folder:/data/a:b", "folder", "/data/a:b"],
  ["folder:C:\\mrms", "folder", "C:\\mrms"],
  ["bucket:https://mrms.example/", "bucket", "https://mrms.example/"],
  ["mirror:http://desk.example:47800/", "mirror", "http://desk.example:47800/"],
  ["something else", "noaa", ""],
])("%j has a kind and a place", (source, kind, place) => {
  expect(splitLiveSource(source)).toEqual({ kind, place });
});
