import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { checkFreshness, hashSources, rememberBuild } from "./build-stamp.ts";
import { changedSince } from "./source-age.ts";
import { getPart, partNames, stampPath } from "./parts.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "echotop-sources-"));
  write("a/one.ts", "1");
  write("a/deep/two.ts", "2");
  write("b.json", "{}");
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const hash = (): string => hashSources(root, ["a", "b.json"]);

test("the hash depends on names and contents, not on order or times", () => {
  const before = hash();
  utimesSync(join(root, "a/one.ts"), 1, 1);
  expect(hashSources(root, ["b.json", "a", "a"])).toBe(before);
});

test.each<[string, () => void]>([
  [
    "a change",
    () => {
      write("a/deep/two.ts", "3");
    },
  ],
  [
    "a new file",
    () => {
      write("a/three.ts", "");
    },
  ],
  [
    "a new name",
    () => {
      rmSync(join(root, "a/one.ts"));
      write("a/uno.ts", "1");
    },
  ],
  [
    "a missing file",
    () => {
      rmSync(join(root, "b.json"));
    },
  ],
  [
    "text that moves to the next file",
    () => {
      write("a/deep/two.ts", "");
      write("a/one.ts", "12");
    },
  ],
])("%s gives another hash", (_what, change) => {
  const before = hash();
  change();
  expect(hash()).not.toBe(before);
});

test("tests do not count", () => {
  const before = hash();
  write("a/one.test.ts", "x");
  write("a/deep/view.test.tsx", "x");
  expect(hash()).toBe(before);
});

const part = { ...getPart("preload"), sources: ["a"], output: "out/preload.cjs" };
const isFresh = (): boolean => checkFreshness(root, part);

/** Writes the output as a build does that begins in the given second; sources are written now. */
function build(startedAt = new Date(Date.now() + 1000)): void {
  write(part.output, "");
  rememberBuild(root, part, { sourceHash: hashSources(root, part.sources), startedAt });
}

test("a part is fresh if it was built from these sources and its output exists", () => {
  expect(isFresh()).toBe(false);
  build();
  expect(isFresh()).toBe(true);
  rmSync(join(root, part.output));
  expect(isFresh()).toBe(false);
});

test("a source that is written during or after a build makes the part stale", () => {
  build(new Date(1000));
  write("a/one.ts", "changed");
  expect(isFresh()).toBe(false);
  write("a/one.ts", "1");
  expect(isFresh()).toBe(true);
});

test("sources with newer times and the same contents are hashed once", () => {
  build(new Date(1000));
  expect(changedSince(root, part.sources, outputTime())).toBe(true);
  expect(isFresh()).toBe(true);
  expect(outputTime()).toBeGreaterThan(1000);
});

const outputTime = (): number => statSync(join(root, part.output)).mtimeMs;

test("a stamp is kept per part, and a damaged one makes all parts stale", () => {
  build();
  const main = { ...getPart("main"), output: "b.json" };
  rememberBuild(root, main, { sourceHash: "other", startedAt: new Date() });
  expect(isFresh()).toBe(true);
  write(stampPath, "{");
  expect(isFresh()).toBe(false);
});

test.each<[string, () => void]>([
  [
    "written",
    () => {
      write("a/one.ts", "new");
    },
  ],
  [
    "moved here with an old time",
    () => {
      write("old.ts", "");
      utimesSync(join(root, "old.ts"), 1, 1);
      renameSync(join(root, "old.ts"), join(root, "a/deep/old.ts"));
    },
  ],
  [
    "removed",
    () => {
      rmSync(join(root, "a/deep/two.ts"));
    },
  ],
])("a source that was %s has changed by its times", async (_what, change) => {
  const before = Date.now() + 1;
  expect(changedSince(root, ["a", "missing"], before)).toBe(false);
  // The clock of files may be coarser than that of the process.
  await vi.waitUntil(() => Date.now() > before + 20);
  change();
  expect(changedSince(root, ["a", "missing"], before)).toBe(true);
});

test("every part has sources and an output", () => {
  for (const name of partNames) {
    const part = getPart(name);
    expect(part.sources.length).toBeGreaterThan(2);
    expect(part.output).toMatch(/^\.vite\/(?:renderer|build|cli|assets)\/[a-z-]+\.[a-z]+$/);
  }
});
