import { expect, test } from "vitest";
import { exampleFeed } from "../support/example-feeds.ts";
import { noFrameWords, splitLiveSource } from "./live-text.ts";

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

test("a feed without frames says that the first one comes, or that the source has only past files", () => {
  const [published] = exampleFeed().products;
  const unpublished = { ...published!, newestPublishedAt: null };
  const past = { ...unpublished, newestListedAt: "2024-05-20T21:02:39Z" };
  const older = { ...past, newestListedAt: "2024-05-20T21:00:39Z" };
  const none = { ...unpublished, newestListedAt: null };
  const first = "No frame yet. The first one appears by itself.";
  expect(noFrameWords(exampleFeed())).toBeUndefined();
  expect(noFrameWords(exampleFeed({ state: "link-down", products: [none] }))).toBeUndefined();
  expect(noFrameWords(exampleFeed({ state: "source-idle", products: [none] }))).toBe(first);
  expect(noFrameWords(exampleFeed({ state: "current", products: [unpublished] }))).toBe(first);
  const waiting = exampleFeed({ state: "source-idle", products: [past], pendingWindows: 1 });
  expect(noFrameWords(waiting)).toBe(first);
  expect(noFrameWords(exampleFeed({ state: "source-idle", products: [past, older] }))).toBe(
    "The newest file is from 20 May 2024 2102Z, too old for a live feed. Use Add events for past files.",
  );
});
