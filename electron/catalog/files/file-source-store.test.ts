import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createSourceStore } from "./file-source-store.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { temporaryDirectory } from "../support/drafts.ts";
import { keepSource } from "../support/kept-source.ts";
import { dataDirectory, sourceLocations } from "./data-directory.ts";

test("a finished download is moved under the hash of its bytes and found by that hash", async () => {
  const directory = await temporaryDirectory();
  const store = createSourceStore({ directory });
  for (const [bytes, extension] of [
    [gzipSync("GRIB and so on"), ".grib2.gz"],
    [Buffer.from("GRIB and so on"), ".grib2"],
  ] as const) {
    const download = join(directory, "download");
    await writeFile(download, bytes);
    const sha256 = sha256Of(bytes);
    const kept = await store.put(download);
    expect(kept).toMatchObject({ sha256, byteLength: bytes.byteLength });
    const path = join(directory, "sources", sha256.slice(0, 2), sha256 + extension);
    expect(readFileSync(path)).toEqual(Buffer.from(bytes));
    expect(existsSync(download)).toBe(false);
    expect(await store.has(sha256)).toBe(true);
    expect(await store.read(sha256)).toEqual(Buffer.from(bytes));
  }
});

test("damaged bytes are never read, and storing the same bytes again repairs them", async () => {
  const directory = await temporaryDirectory();
  const store = createSourceStore({ directory });
  const sha256 = await keepSource(directory, "GRIB");
  await writeFile(sourceLocations(dataDirectory(directory).sourcesFolder, sha256).plain, "damaged");
  await expect(store.read(sha256)).rejects.toMatchObject({ code: "stored-data-invalid" });
  expect(await keepSource(directory, "GRIB")).toBe(sha256);
  expect(await store.read(sha256)).toEqual(Buffer.from("GRIB"));
});

test("a missing file is not found and cannot be stored", async () => {
  const directory = await temporaryDirectory();
  const store = createSourceStore({ directory });
  for (const sha256 of ["0".repeat(64), "../catalog.sqlite"]) {
    expect(await store.has(sha256)).toBe(false);
    expect(await store.read(sha256)).toBeUndefined();
  }
  await expect(store.put(join(directory, "download"))).rejects.toMatchObject({ code: "source-invalid" });
});

test("a disk error is reported as storage-failed without naming a path", async () => {
  const directory = await temporaryDirectory();
  const download = join(directory, "download");
  await writeFile(download, "GRIB");
  await writeFile(join(directory, "sources"), "no folder");
  await expect(createSourceStore({ directory }).put(download)).rejects.toMatchObject({
    code: "storage-failed",
    detail: expect.not.stringContaining(directory) as string,
  });
});
