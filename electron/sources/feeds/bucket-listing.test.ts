import fc from "fast-check";
import { expect, test } from "vitest";
import { isAppError } from "../../../shared/app-error.ts";
import { parseListingPage } from "./bucket-listing.ts";

const entry = `<Contents><Key>CONUS/MESH_00.50/20240228/MRMS_MESH_00.50_20240228-025239.grib2.gz</Key>
<LastModified>2024-02-28T02:55:01.000Z</LastModified><ETag>&quot;9bb58f26192e4ba00f01e2e7b136bbd8&quot;</ETag>
<Size>83012</Size><StorageClass>STANDARD</StorageClass></Contents>`;

function page(inside: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name>${inside}</ListBucketResult>`;
}

test("a page lists objects with size, tag and time", () => {
  expect(parseListingPage(page(`<IsTruncated>false</IsTruncated>${entry}`))).toEqual({
    objects: [
      {
        key: "CONUS/MESH_00.50/20240228/MRMS_MESH_00.50_20240228-025239.grib2.gz",
        byteLength: 83_012,
        etag: "9bb58f26192e4ba00f01e2e7b136bbd8",
        lastModifiedAt: "2024-02-28T02:55:01Z",
      },
    ],
    nextToken: undefined,
  });
});

test("a truncated page names the next one", () => {
  const text = page(
    "<IsTruncated>true</IsTruncated><NextContinuationToken>1/a&amp;b=</NextContinuationToken>",
  );
  expect(parseListingPage(text)).toEqual({ objects: [], nextToken: "1/a&b=" });
});

test("an empty listing is valid", () => {
  expect(parseListingPage(page("")).objects).toEqual([]);
  expect(parseListingPage("<ListBucketResult/>").objects).toEqual([]);
});

test("a malformed size, tag or time is undefined", () => {
  const text = page(
    "<Contents><Key>k</Key><Size>-4</Size><ETag>&quot;&quot;</ETag><LastModified>soon</LastModified></Contents>",
  );
  expect(parseListingPage(text).objects).toEqual([
    { key: "k", byteLength: undefined, etag: undefined, lastModifiedAt: undefined },
  ]);
});

test.each([
  ["nothing", "", /not XML/],
  ["a page of HTML", "<html><body><p>Sign in<br></body></html>", /another kind|not XML/],
  ["well-formed HTML", "<html><body>Sign in</body></html>", /another kind/],
  ["JSON", '{"keys":[]}', /not XML/],
  ["an error document", "<Error><Code>AccessDenied</Code></Error>", /another kind/],
  ["a cut listing", page(entry).slice(0, 300), /incomplete|not XML/],
  ["a listing cut between two entries", page(entry).replace("</ListBucketResult>", ""), /incomplete/],
  ["an entry without a key", page("<Contents><Size>1</Size></Contents>"), /another kind/],
  ["a truncated page without a token", page("<IsTruncated>true</IsTruncated>"), /next page is not named/],
  [
    "a document type",
    '<!DOCTYPE x [<!ENTITY a "b">]><ListBucketResult>&a;</ListBucketResult>',
    /document type/,
  ],
])("%s is refused with a sentence", (_what, text, message) => {
  const refusal = catchError(() => parseListingPage(text));
  expect(isAppError(refusal, "upstream-unavailable")).toBe(true);
  expect((refusal as Error).message).toMatch(message);
});

test("mutated listings return a page or throw an AppError", () => {
  const text = page(`<IsTruncated>false</IsTruncated>${entry}${entry}`);
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.nat(20), fc.string({ maxLength: 12 }), (at, cut, put) => {
      const mutated = text.slice(0, at) + put + text.slice(at + cut);
      try {
        for (const { key } of parseListingPage(mutated).objects) expect(typeof key).toBe("string");
      } catch (error) {
        if (!isAppError(error, "upstream-unavailable")) throw error;
      }
    }),
    { numRuns: 500, seed: 20_260_522 },
  );
});

function catchError(body: () => unknown): unknown {
  try {
    body();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}
