import { expect, test } from "vitest";
import { AppError } from "../../../../shared/app-error.ts";
import type { PublishedLayer } from "../../../catalog/catalog.ts";
import { sha256Of } from "../../../platform/sha256.ts";
import { startTestService, type TestService } from "../support/test-service.ts";

const file = Buffer.from("GRIB the original");
const sha256 = sha256Of(file);
const path = "/app/events/storm/revisions/R1/sources/mrms-mesh";

interface Kept {
  readonly read?: (sha256: string) => Promise<Uint8Array | undefined>;
  readonly sourceSha256?: string | undefined;
  readonly sourceUrl?: string;
  readonly isPublic?: boolean;
}

async function startWithLayer(kept: Kept): Promise<TestService> {
  const { read, sourceUrl = "https://noaa.example/CONUS/MESH_2024.grib2.gz", isPublic = false } = kept;
  const service = await startTestService({ isPublic, ...(read && { sources: { read } }) });
  service.catalog.addEvent({ id: "storm" });
  service.catalog.publish("storm");
  const layer: PublishedLayer = {
    productId: "mrms-mesh",
    ...{ observedAt: "2024-05-20T21:00:00Z", frameId: "a".repeat(64) },
    bounds: [-99, 34, -96, 37],
    ...{ messageSha256: "b".repeat(64), sourceUrl, sourceLastModified: undefined },
    sourceSha256: "sourceSha256" in kept ? kept.sourceSha256 : sha256,
  };
  service.catalog.setLayers("storm", "R1", [layer]);
  return service;
}

const readKept = (asked: string): Promise<Uint8Array | undefined> =>
  Promise.resolve(asked === sha256 ? file : undefined);

test("a kept file is served as it was read, under its name and its hash", async () => {
  const { get } = await startWithLayer({ read: readKept });
  const response = await get(path);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="MESH_2024.grib2.gz"');
  expect(sha256Of(new Uint8Array(await response.arrayBuffer()))).toBe(sha256);
  expect(response.headers.get("etag")).toBe(`"${sha256}"`);
  expect((await get(path, { "if-none-match": `"${sha256}"` })).status).toBe(304);
});

test("a name that is not safe in a header or a file system is replaced by the hash", async () => {
  const { get } = await startWithLayer({ read: readKept, sourceUrl: 'https://noaa.example/a"b;c' });
  expect((await get(path)).headers.get("content-disposition")).toBe(`attachment; filename="${sha256}.grib2"`);
});

test.each<[string, Kept]>([
  ["is no longer there", { read: () => Promise.resolve(undefined) }],
  ["was never kept", { read: readKept, sourceSha256: undefined }],
  ["is one of a service that keeps none", {}],
])("a file that %s is 404, and the answer says so", async (_, kept) => {
  const response = await (await startWithLayer(kept)).get(path);
  expect([response.status, await response.json()]).toEqual([
    404,
    { message: "This source file was not kept." },
  ]);
});

test.each([
  "/app/events/other/revisions/R1/sources/mrms-mesh",
  "/app/events/storm/revisions/R2/sources/mrms-mesh",
  "/app/events/storm/revisions/R1/sources/mrms-reflectivity",
  "/app/events/storm/revisions/R1/sources/..%2f..%2fcatalog",
])("%s is 404", async (unknown) => {
  expect((await (await startWithLayer({ read: readKept })).get(unknown)).status).toBe(404);
});

test("a damaged file is 502, and never a body", async () => {
  const damage = new AppError("stored-data-invalid", "A stored source file does not match its name.");
  const { get } = await startWithLayer({ read: () => Promise.reject(damage) });
  const response = await get(path);
  expect([response.status, await response.json()]).toEqual([502, { message: "The stored data is damaged." }]);
});

test("a public service does not have the address", async () => {
  const { get } = await startWithLayer({ read: readKept, isPublic: true });
  expect((await get(path)).status).toBe(404);
});
