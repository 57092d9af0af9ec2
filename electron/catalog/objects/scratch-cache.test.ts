import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sha256Of } from "../../platform/sha256.ts";
import { createScratchCache, type ScratchCache } from "./scratch-cache.ts";

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "echotop-scratch-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function add(cache: ScratchCache): Promise<string> {
  const bytes = randomBytes(100);
  await cache.write(sha256Of(bytes), bytes);
  return sha256Of(bytes);
}

test("the least recently used bytes are removed first", async () => {
  const folder = await temporaryFolder();
  const cache = await createScratchCache({ folder, byteLimit: 300 });
  const [a, b, c] = [await add(cache), await add(cache), await add(cache)];
  expect(await cache.read(a)).toBeDefined();
  const d = await add(cache);
  expect((await readdir(folder)).toSorted()).toEqual([a, c, d].toSorted());
  expect(await cache.read(b)).toBeUndefined();
  await cache.write(sha256Of("x"), randomBytes(301));
  expect(await readdir(folder)).toHaveLength(3);
});

test("a new process goes on with the folder, within its limit, and removes unfinished files", async () => {
  const folder = await temporaryFolder();
  const old = await createScratchCache({ folder, byteLimit: 300 });
  const [a, b] = [await add(old), await add(old)];
  await utimes(join(folder, a), 1, 1);
  await writeFile(join(folder, `${b}.0123456789ab.new`), "half");
  const cache = await createScratchCache({ folder, byteLimit: 150 });
  expect(await cache.read(a)).toBeUndefined();
  expect(await cache.read(b)).toBeDefined();
  expect(await readdir(folder)).toEqual([b]);
});

test("damaged bytes are removed, not served", async () => {
  const folder = await temporaryFolder();
  const cache = await createScratchCache({ folder, byteLimit: 300 });
  const name = await add(cache);
  await writeFile(join(folder, name), randomBytes(100));
  expect(await cache.read(name)).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});

test("a folder that cannot be used makes no error", async () => {
  const file = join(await temporaryFolder(), "file");
  await writeFile(file, "");
  const cache = await createScratchCache({ folder: join(file, "below"), byteLimit: 300 });
  expect(await cache.read(await add(cache))).toBeUndefined();
});
