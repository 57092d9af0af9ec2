// Frame store in a folder: each frame is stored once and checked when read, and a failed write leaves no files.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrameStore } from "./file-frame-store.ts";
import { temporaryDirectory } from "../support/drafts.ts";

const png = Buffer.from("stands for a picture");
const frameId = createHash("sha256").update(png).digest("hex");

function fileOf(directory: string): string {
  return join(directory, "frames", frameId.slice(0, 2), `${frameId}.png`);
}

test("a frame is stored under its hash, can be read back, and leaves staging empty", async () => {
  const directory = await temporaryDirectory();
  const store = createFrameStore({ directory });
  expect(await store.put(png)).toBe(frameId);
  expect(readFileSync(fileOf(directory))).toEqual(png);
  expect(readdirSync(join(directory, "staging"))).toEqual([]);
  expect(await store.read(frameId)).toEqual(png);
});

test("an existing frame is not written again, and a damaged one is replaced", async () => {
  const directory = await temporaryDirectory();
  const store = createFrameStore({ directory });
  await store.put(png);
  const { ino } = statSync(fileOf(directory));
  await store.put(png);
  expect(statSync(fileOf(directory)).ino).toBe(ino);
  for (const damaged of ["stands for a pictur!", "short", ""]) {
    writeFileSync(fileOf(directory), damaged);
    await store.put(png);
    expect(readFileSync(fileOf(directory))).toEqual(png);
  }
});

test("concurrent writes of one frame store it once", async () => {
  const directory = await temporaryDirectory();
  const store = createFrameStore({ directory });
  await Promise.all(Array.from({ length: 10 }, () => store.put(png)));
  expect(readdirSync(join(directory, "frames", frameId.slice(0, 2)))).toEqual([`${frameId}.png`]);
  expect(readdirSync(join(directory, "staging"))).toEqual([]);
});

test("a missing frame, a missing folder and an invalid name all return undefined", async () => {
  const directory = await temporaryDirectory();
  const store = createFrameStore({ directory });
  expect(await store.read(frameId)).toBeUndefined();
  await store.put(png);
  expect(await store.read(frameId.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")))).toBeUndefined();
  for (const name of ["", "..", "../../../../etc/passwd", frameId.toUpperCase(), `${frameId}0`]) {
    expect(await store.read(name)).toBeUndefined();
  }
});

test("each read sees that a frame was added, changed or removed while the store is open", async () => {
  const directory = await temporaryDirectory();
  const store = createFrameStore({ directory });
  expect(await store.read(frameId)).toBeUndefined();
  await createFrameStore({ directory }).put(png);
  const first = await store.read(frameId);
  expect(await store.read(frameId)).toBe(first);
  writeFileSync(fileOf(directory), Buffer.from("stands for a Picture"));
  utimesSync(fileOf(directory), 1, 1);
  await expect(store.read(frameId)).rejects.toMatchObject({ code: "stored-data-invalid" });
  rmSync(fileOf(directory));
  expect(await store.read(frameId)).toBeUndefined();
});

test("reading a damaged frame fails with a message that names no path", async () => {
  const directory = await temporaryDirectory();
  await createFrameStore({ directory }).put(png);
  writeFileSync(fileOf(directory), "other bytes");
  await expect(createFrameStore({ directory }).read(frameId)).rejects.toMatchObject({
    code: "stored-data-invalid",
    detail: "A stored frame does not match its name.",
  });
});

test("the cache stays within its limit", async () => {
  const directory = await temporaryDirectory();
  const store = createFrameStore({ directory, cacheByteLimit: png.length });
  const other = Buffer.from("stands for another p");
  const otherId = await store.put(other);
  await store.put(png);
  const first = await store.read(frameId);
  expect(await store.read(frameId)).toBe(first);
  await store.read(otherId);
  expect(await store.read(frameId)).not.toBe(first);
  expect(await store.read(frameId)).toEqual(png);
});

test("a disk error is reported as storage-failed and leaves staging empty", async () => {
  const directory = await temporaryDirectory();
  mkdirSync(join(directory, "frames"));
  mkdirSync(join(directory, "staging"));
  writeFileSync(join(directory, "frames", frameId.slice(0, 2)), "a file where a folder must be");
  const store = createFrameStore({ directory });
  await expect(store.put(png)).rejects.toMatchObject({
    code: "storage-failed",
    detail: expect.not.stringContaining(directory) as string,
  });
  rmSync(join(directory, "frames", frameId.slice(0, 2)));
  mkdirSync(join(fileOf(directory), "something"), { recursive: true });
  await expect(store.put(png)).rejects.toMatchObject({ code: "storage-failed" });
  expect(readdirSync(join(directory, "staging"))).toEqual([]);
});
