import { expect, test } from "vitest";
import { toFetchSource } from "./source-text.ts";

test("NOAA's bucket is the default", () => {
  expect(toFetchSource(undefined)).toEqual({ kind: "noaa" });
  expect(toFetchSource("noaa")).toEqual({ kind: "noaa" });
});

test("a bucket URL ends in a slash; a folder path is absolute", () => {
  expect(toFetchSource("bucket:http://localhost:9000/mrms")).toEqual({
    kind: "bucket",
    url: "http://localhost:9000/mrms/",
  });
  expect(toFetchSource("bucket:https://host.example/")).toEqual({
    kind: "bucket",
    url: "https://host.example/",
  });
  expect(toFetchSource("folder:/data/a:b/../mrms")).toEqual({ kind: "folder", directory: "/data/mrms" });
});

test.each([
  "folder:mrms",
  "folder:../mrms",
  "bucket:ftp://host.example",
  "bucket:http://",
  "bucket:http://user:word@host.example/",
  "bucket:http://host.example/?list-type=2",
])("%s is refused with a message", (text) => {
  expect(() => toFetchSource(text)).toThrow(
    expect.objectContaining({
      code: "invalid-input",
      message: expect.stringMatching(/^[A-Z].*\.$/) as string,
    }),
  );
});
