import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { makeGribMessage } from "../../support/grib-files.ts";
import { isAppError } from "../../../shared/app-error.ts";
import { createFolderSource } from "./folder-source.ts";
import type { FeedSource, Listing } from "./feed-source.ts";
import { wholenessOf } from "./whole-message.ts";

const observedAt = "2024-05-20T21:00:39Z";
const name = "MRMS_MESH_00.50_20240520-210039.grib2.gz";
const range = { fromMs: 0, toMs: Date.parse("2100-01-01T00:00:00Z") };
const message = Buffer.from(makeGribMessage({ product: "mrms-mesh", observedAt, fill: 30 }));
const whole = gzipSync(message);
const { signal } = new AbortController();

interface Trial {
  readonly directory: string;
  readonly source: FeedSource;
  /** Lists after so many milliseconds. */
  readonly look: (afterMs?: number) => Promise<Listing>;
}

async function open(): Promise<Trial> {
  const directory = await mkdtemp(join(tmpdir(), "echotop-folder-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  let nowMs = Date.now();
  const source = createFolderSource({ directory, now: () => new Date(nowMs), settleMs: 2000 });
  return {
    directory,
    source,
    look: (afterMs = 0) => {
      nowMs += afterMs;
      return source.list(range, signal);
    },
  };
}

test("a whole file is used at once, and looked at once more after the quiet time", async () => {
  const { directory, source, look } = await open();
  mkdirSync(join(directory, "2024"));
  writeFileSync(join(directory, `.${name}.part`), whole);
  const nothing = { assets: [], strange: [], failures: [], unreadable: [], lookAgainInMs: undefined };
  expect(await look()).toEqual(nothing);
  const file = join(directory, "2024", name);
  renameSync(join(directory, `.${name}.part`), file);
  const first = await look();
  expect(first).toMatchObject({ lookAgainInMs: 2000 });
  const [asset] = first.assets;
  expect(asset).toMatchObject({
    locator: file,
    name,
    productId: "mrms-mesh",
    observedAt,
    byteLength: whole.length,
  });
  const staged = join(directory, "staged");
  const downloaded = await source.download(asset!, { file: staged, knownEtag: undefined, signal });
  expect(downloaded).toMatchObject({ byteLength: whole.length });
  expect((await readFile(staged)).equals(whole)).toBe(true);
  expect(source.toSourceUrl(asset!)).toBeUndefined();
  expect(await look(2000)).toEqual({ ...nothing, assets: [asset] });
});

test("a damaged file waits for the quiet time: it may be a copy in progress", async () => {
  const { directory, look } = await open();
  // Some copying programs first allocate the whole file.
  writeFileSync(
    join(directory, name),
    Buffer.concat([whole.subarray(0, 60), Buffer.alloc(whole.length - 60)]),
  );
  expect(await look()).toMatchObject({ assets: [], lookAgainInMs: 2000 });
  expect(await look(1999)).toMatchObject({ assets: [], lookAgainInMs: 2000 });
  expect((await look(1)).assets).toHaveLength(1);
});

test("a file that grows after it was whole is another version, once it is whole again", async () => {
  const { directory, look } = await open();
  const file = join(directory, name);
  writeFileSync(file, whole);
  const [first] = (await look()).assets;
  const second = gzipSync(message);
  appendFileSync(file, second.subarray(0, 50));
  expect((await look(30_000)).assets).toEqual([]);
  appendFileSync(file, second.subarray(50));
  const [grown] = (await look()).assets;
  expect(grown!.byteLength).toBe(whole.length + second.length);
  expect(grown!.etag).not.toBe(first!.etag);
});

test("a file that is cut short and written again is not used meanwhile", async () => {
  const { directory, look } = await open();
  const file = join(directory, name);
  writeFileSync(file, whole);
  const [first] = (await look()).assets;
  truncateSync(file, 30);
  expect((await look(2000)).assets).toEqual([]);
  appendFileSync(file, whole.subarray(30));
  const [again] = (await look()).assets;
  expect(again!.byteLength).toBe(whole.length);
  expect(again!.etag).not.toBe(first!.etag);
});

test("a change that leaves size and time as they were is found after the quiet time", async () => {
  const { directory, source, look } = await open();
  const file = join(directory, name);
  const [before, after] = [30, 40].map((fill) =>
    Buffer.from(makeGribMessage({ product: "mrms-mesh", observedAt, fill })),
  );
  expect(after!.length).toBe(before!.length);
  const plain = file.replace(/\.gz$/, "");
  writeFileSync(plain, before!);
  const modified = new Date(Math.floor(Date.now() / 1000) * 1000);
  utimesSync(plain, modified, modified);
  const [first] = (await look()).assets;
  writeFileSync(plain, after!);
  utimesSync(plain, modified, modified);
  expect((await look()).assets).toEqual([first]);
  const [second] = (await look(2000)).assets;
  expect(second!.etag).not.toBe(first!.etag);
  const staged = join(directory, "staged");
  await source.download(second!, { file: staged, knownEtag: first!.etag, signal });
  expect((await readFile(staged)).equals(after!)).toBe(true);
  expect((await look(2000)).assets).toEqual([second]);
});

test("a slow copy is not used before its last byte, however long it pauses", async () => {
  const { directory, look } = await open();
  const file = join(directory, name);
  for (let at = 0; at < whole.length; at += 40) {
    appendFileSync(file, whole.subarray(at, at + 40));
    if (at + 40 >= whole.length) break;
    expect((await look()).assets).toEqual([]);
    expect((await look(30_000)).assets).toEqual([]);
  }
  expect((await look()).assets).toHaveLength(1);
});

test("a file that stays incomplete is used in the end, so that its cause is reported", async () => {
  const { directory, look } = await open();
  writeFileSync(join(directory, name), whole.subarray(0, -20));
  await look();
  expect((await look(300_000)).assets).toEqual([]);
  expect((await look(300_000)).assets).toHaveLength(1);
});

test("a replaced file is a new version; one that changes while it is read fails", async () => {
  const { directory, source, look } = await open();
  const file = join(directory, name);
  writeFileSync(file, whole);
  const [first] = (await look()).assets;
  rmSync(file);
  writeFileSync(file, gzipSync(message, { level: 1 }));
  const download = source.download(first!, { file: join(directory, "x"), knownEtag: undefined, signal });
  await expect(download).rejects.toThrow(/changed while/);
  const [second] = (await look()).assets;
  expect(second!.etag).not.toBe(first!.etag);
  rmSync(file);
  const gone = source.download(second!, { file: join(directory, "x"), knownEtag: undefined, signal });
  await expect(gone).rejects.toThrow(/no longer exists/);
});

test("unknown names are reported, other products are skipped", async () => {
  const { directory, look } = await open();
  for (const each of ["notes.txt", "storm.grib2", "MRMS_PrecipRate_00.00_20240520-210000.grib2.gz"]) {
    writeFileSync(join(directory, each), whole);
  }
  const { assets, strange } = await look(120_000);
  expect(assets).toEqual([]);
  expect(strange.map(({ what }) => what)).toEqual(["storm.grib2"]);
});

/** Nested folders, each with a name of 250 letters. */
function nest(folder: string, depth: number): string {
  return join(folder, ...Array.from({ length: depth }, () => "n".repeat(250)));
}

// A path longer than Linux takes: what not even root can read, and what no rights have to be taken away for.
test.runIf(process.platform === "linux")(
  "an unreadable subfolder is reported, and other files are used",
  async () => {
    const base = await mkdtemp(join(tmpdir(), "echotop-folder-"));
    onTestFinished(() => rm(base, { recursive: true, force: true }));
    const directory = nest(base, 10);
    mkdirSync(directory, { recursive: true });
    mkdirSync(nest(join(base, "locked"), 7), { recursive: true });
    renameSync(join(base, "locked"), join(directory, "locked"));
    // Where it can be removed again.
    onTestFinished(() => {
      renameSync(join(directory, "locked"), join(base, "locked"));
    });
    writeFileSync(join(directory, name), whole);
    const source = createFolderSource({ directory, now: () => new Date(Date.now() + 120_000) });
    const { assets, failures, unreadable } = await source.list(range, signal);
    expect(assets).toMatchObject([{ locator: join(directory, name) }]);
    expect(failures).toEqual([]);
    expect(unreadable.map(({ what, message: why }) => [what.split("/")[0], why])).toEqual([
      ["locked", "This folder cannot be read."],
    ]);
  },
);

test.skipIf(process.platform === "win32")(
  "an unreadable file is reported; a missing one is not",
  async () => {
    const { directory, look } = await open();
    symlinkSync(name, join(directory, name));
    symlinkSync(join(directory, "nowhere"), join(directory, name.replace("2100", "2102")));
    writeFileSync(join(directory, name.replace("2100", "2104")), whole);
    const { assets, strange, unreadable } = await look(120_000);
    expect(assets.map(({ name: used }) => used)).toEqual([name.replace("2100", "2104")]);
    expect([strange, unreadable]).toEqual([[], [{ what: name, message: "This file cannot be read." }]]);
  },
);

test("a missing folder is a lost link", async () => {
  const { directory, look } = await open();
  rmSync(directory, { recursive: true });
  const error: unknown = await look().catch((reason: unknown) => reason);
  expect(isAppError(error, "upstream-unavailable")).toBe(true);
});

test("watching calls back soon after a file appears, and tolerates a folder that cannot be watched", async () => {
  const { directory, source } = await open();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const stop = source.watch!(() => {
    resolve(undefined);
  });
  copyFileSync(import.meta.filename, join(directory, "x"));
  await promise;
  stop();
  const nowhere = createFolderSource({ directory: join(directory, "absent"), now: () => new Date() });
  expect(() => {
    nowhere.watch!(() => undefined)();
  }).not.toThrow();
});

test("a folder that appears later, or again, is watched from then on", async () => {
  const { directory } = await open();
  const inner = join(directory, "inner");
  const source = createFolderSource({ directory: inner, now: () => new Date() });
  let changed = Promise.withResolvers<undefined>();
  const stop = source.watch!(() => {
    changed.resolve(undefined);
  });
  for (let round = 0; round < 2; round += 1) {
    await expect(source.list(range, signal)).rejects.toThrow(/does not exist/);
    mkdirSync(inner);
    await source.list(range, signal);
    changed = Promise.withResolvers();
    writeFileSync(join(inner, name), whole);
    await changed.promise;
    rmSync(inner, { recursive: true });
  }
  stop();
});

test("every truncation of a file is partial, and only the complete file is whole", () => {
  for (const file of [message, whole]) {
    for (let length = 0; length < file.length; length += 7) {
      expect([length, wholenessOf(file.subarray(0, length))]).toEqual([length, "partial"]);
    }
    expect(wholenessOf(file)).toBe("whole");
  }
  expect(wholenessOf(Buffer.from("version https://git-lfs.github.com/spec/v1"))).toBe("strange");
  const damaged = Buffer.from(whole);
  damaged[whole.length - 6]! ^= 255;
  expect(wholenessOf(damaged)).toBe("strange");
});

test("several messages, or several gzip members, are whole only with the end of a message", () => {
  const two = Buffer.concat([message, message]);
  for (let length = 0; length < two.length; length += 7) {
    const isBoundary = length === message.length;
    expect([length, wholenessOf(two.subarray(0, length))]).toEqual([
      length,
      isBoundary ? "whole" : "partial",
    ]);
  }
  expect(wholenessOf(two)).toBe("whole");
  const members = [message.subarray(0, 100), message.subarray(100)].map((part) => gzipSync(part));
  expect(wholenessOf(members[0]!)).toBe("partial");
  expect(wholenessOf(Buffer.concat(members))).toBe("whole");
  expect(wholenessOf(gzipSync(Buffer.alloc(0)))).toBe("partial");
  expect(wholenessOf(Buffer.concat([message, Buffer.from("more")]))).toBe("strange");
  const endless = Buffer.from(message);
  endless.writeBigUInt64BE(0n, 8);
  expect(wholenessOf(endless)).toBe("strange");
});
