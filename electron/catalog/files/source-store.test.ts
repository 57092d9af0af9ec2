import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createSourceStore } from "./source-store.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { temporaryDirectory } from "../support/drafts.ts";

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
    expect(relative(directory, kept.path)).toBe(join("sources", sha256.slice(0, 2), sha256 + extension));
    expect(readFileSync(kept.path)).toEqual(Buffer.from(bytes));
    expect(existsSync(download)).toBe(false);
    expect(await store.find(sha256)).toBe(kept.path);
  }
});

test("storing the same bytes again repairs a damaged file", async () => {
  const directory = await temporaryDirectory();
  const store = createSourceStore({ directory });
  const bytes = gzipSync("GRIB");
  const keep = async (): Promise<string> => {
    const download = join(directory, "download");
    await writeFile(download, bytes);
    return (await store.put(download)).path;
  };
  const path = await keep();
  await writeFile(path, "damaged");
  expect(await keep()).toBe(path);
  expect(readFileSync(path)).toEqual(Buffer.from(bytes));
});

test("a missing file is not found and cannot be stored", async () => {
  const directory = await temporaryDirectory();
  const store = createSourceStore({ directory });
  expect(await store.find("0".repeat(64))).toBeUndefined();
  expect(await store.find("../catalog.sqlite")).toBeUndefined();
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
