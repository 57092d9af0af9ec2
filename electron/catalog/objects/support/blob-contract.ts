// Tests of blobs and frames over any object store: nothing acknowledged is lost, no wrong byte is served, and the sweep
// removes what nothing refers to.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sha256Of } from "../../../platform/sha256.ts";
import { createBlobStore } from "../blob-store.ts";
import { openObjectFrameStore } from "../object-frame-store.ts";
import { createObjectKey } from "../object-keys.ts";
import { createObjectSourceStore } from "../object-source-store.ts";
import type { ObjectStore } from "../object-store.ts";
import { removeCondemned, removeOrphans } from "../sweep-objects.ts";
import { createMemoryBlobIndex } from "./memory-blob-index.ts";

/** Registers the tests. They empty the store of everything that they did not put. */
export function testBlobStores(open: () => ObjectStore): void {
  const kind = "frames";

  /** Deletes or changes stored bytes, as a failing disk does. */
  const damage = async (key: string, bytes?: Uint8Array): Promise<void> => {
    await open().remove([key]);
    if (bytes) await open().put(key, bytes);
  };
  const countObjects = async (sha256: string): Promise<number> => {
    let count = 0;
    for await (const _ of open().list(`frames/${sha256.slice(0, 2)}/${sha256}`)) count += 1;
    return count;
  };

  test("the same bytes are stored once", async () => {
    const [objects, blobs] = [open(), createMemoryBlobIndex()];
    const store = createBlobStore({ objects, blobs, kind });
    const bytes = randomBytes(5000);
    const sha256 = await store.put(bytes);
    expect(sha256).toBe(sha256Of(bytes));
    expect(await store.put(Buffer.from(bytes))).toBe(sha256);
    expect(Buffer.compare((await store.read(sha256))!, bytes)).toBe(0);
    expect(await countObjects(sha256)).toBe(1);
    expect(await store.read("0".repeat(64))).toBeUndefined();
    expect(await store.read("../x")).toBeUndefined();
  });

  test("of uploads at the same time one is recorded, and the sweep removes the others", async () => {
    const [objects, blobs] = [open(), createMemoryBlobIndex()];
    const bytes = randomBytes(5000);
    const stores = Array.from({ length: 4 }, () => createBlobStore({ objects, blobs, kind }));
    const [sha256] = await Promise.all(stores.map((store) => store.put(bytes)));
    expect(await countObjects(sha256!)).toBe(4);
    expect(await removeOrphans({ objects, blobs })).toBe(0);
    await removeOrphans({ objects, blobs, safeAgeMs: 0 });
    expect(await countObjects(sha256!)).toBe(1);
    expect(Buffer.compare((await stores[0]!.read(sha256!))!, bytes)).toBe(0);
  });

  test.each([
    ["damaged", (bytes: Buffer) => Buffer.from([...bytes.subarray(1), 0])],
    ["longer", (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(1_000_000)])],
    ["cut", (bytes: Buffer) => bytes.subarray(0, 100)],
    ["lost", () => undefined],
  ])("%s bytes are never served, and storing them again repairs them", async (_, harm) => {
    const [objects, blobs] = [open(), createMemoryBlobIndex()];
    const store = createBlobStore({ objects, blobs, kind });
    const bytes = randomBytes(5000);
    const sha256 = await store.put(bytes);
    const key = blobs.rows.get(sha256)!;
    const wrong = harm(bytes);
    await damage(key, wrong);
    if (wrong) await expect(store.read(sha256)).rejects.toMatchObject({ code: "stored-data-invalid" });
    else expect(await store.read(sha256)).toBeUndefined();

    await store.put(bytes);
    expect(blobs.rows.get(sha256)).not.toBe(key);
    expect(Buffer.compare((await store.read(sha256))!, bytes)).toBe(0);
    expect([...blobs.condemned]).toEqual([key]);
    expect(await removeCondemned({ objects, blobs })).toBe(1);
    expect(blobs.condemned.size).toBe(0);
    expect(await countObjects(sha256)).toBe(1);
  });

  test("a forgotten blob can be stored again while its old object is removed", async () => {
    const [objects, blobs] = [open(), createMemoryBlobIndex()];
    const store = createBlobStore({ objects, blobs, kind });
    const bytes = randomBytes(5000);
    const sha256 = await store.put(bytes);
    blobs.forget(sha256);
    await Promise.all([removeCondemned({ objects, blobs }), store.put(bytes)]);
    expect(Buffer.compare((await store.read(sha256))!, bytes)).toBe(0);
    expect(await countObjects(sha256)).toBe(1);
  });

  test("an upload that took hours is made again, because a sweep may have removed it", async () => {
    const [objects, blobs] = [open(), createMemoryBlobIndex()];
    const times = [0, 13 * 3_600_000];
    const store = createBlobStore({ objects, blobs, kind, nowMs: () => times.shift() ?? 14 * 3_600_000 });
    const sha256 = await store.put(randomBytes(5000));
    expect(await countObjects(sha256)).toBe(2);
    expect(blobs.condemned.size).toBe(1);
    expect(await store.read(sha256)).toBeDefined();
  });

  test("the sweep leaves objects of others and young orphans alone", async () => {
    const [objects, blobs] = [open(), createMemoryBlobIndex()];
    const orphan = createObjectKey("sources", sha256Of(randomBytes(8)));
    await objects.put(orphan, Buffer.from("orphan"));
    await objects.put("frames/readme.txt", Buffer.from("foreign"));
    expect(await removeOrphans({ objects, blobs })).toBe(0);
    expect(await objects.get(orphan)).toBeDefined();
    expect(await removeOrphans({ objects, blobs, safeAgeMs: 0 })).toBeGreaterThan(0);
    expect(await objects.get(orphan)).toBeUndefined();
    expect(await objects.get("frames/readme.txt")).toBeDefined();
  });

  test("concurrent reads of a frame share one fetch, and later ones need neither store nor index", async () => {
    const folder = await mkdtemp(join(tmpdir(), "echotop-scratch-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const blobs = createMemoryBlobIndex();
    let fetches = 0;
    const objects: ObjectStore = {
      ...open(),
      get(key) {
        fetches += 1;
        return open().get(key);
      },
    };
    const scratch = { folder, byteLimit: 1 << 20 };
    const first = await openObjectFrameStore({ objects, blobs, scratch });
    const bytes = randomBytes(5000);
    const frameId = await first.put(bytes);
    const readings = await Promise.all(Array.from({ length: 20 }, () => first.read(frameId)));
    for (const reading of readings) expect(Buffer.compare(reading!, bytes)).toBe(0);
    expect(fetches).toBe(1);
    blobs.rows.clear();
    expect(await first.read(frameId)).toBe(readings[0]);
    expect(first.cacheUse!()).toEqual({ hits: 1, misses: 20, byteLength: 5000 });
    await first.close();

    const second = await openObjectFrameStore({ objects, blobs, scratch });
    expect(Buffer.compare((await second.read(frameId))!, bytes)).toBe(0);
    expect(fetches).toBe(1);
  });

  test("a finished download is moved into the store and found by its hash", async () => {
    const folder = await mkdtemp(join(tmpdir(), "echotop-sources-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const sources = createObjectSourceStore({ objects: open(), blobs: createMemoryBlobIndex() });
    const download = join(folder, "download");
    const bytes = randomBytes(5000);
    await writeFile(download, bytes);
    const sha256 = sha256Of(bytes);
    expect(await sources.has(sha256)).toBe(false);
    expect(await sources.put(download)).toEqual({ sha256, byteLength: 5000 });
    expect(existsSync(download)).toBe(false);
    expect(await sources.has(sha256)).toBe(true);
    expect(Buffer.compare((await sources.read(sha256))!, bytes)).toBe(0);
    expect(await sources.read(sha256Of("x"))).toBeUndefined();
    await expect(sources.put(download)).rejects.toMatchObject({ code: "source-invalid" });
  });
}
