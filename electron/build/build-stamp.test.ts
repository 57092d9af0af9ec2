import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkFreshness, hashSources, rememberBuild } from "./build-stamp.ts";
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

test("a part is fresh if it was built from these sources and its output exists", () => {
  const part = { ...getPart("preload"), sources: ["a"], output: "out/preload.cjs" };
  const { sourceHash } = checkFreshness(root, part);
  rememberBuild(root, "preload", sourceHash);
  expect(checkFreshness(root, part).isFresh).toBe(false);
  write("out/preload.cjs", "");
  expect(checkFreshness(root, part).isFresh).toBe(true);
  write("a/one.ts", "changed");
  expect(checkFreshness(root, part).isFresh).toBe(false);
});

test("a stamp is kept per part, and a damaged one makes all parts stale", () => {
  const part = { ...getPart("preload"), sources: ["a"], output: "b.json" };
  rememberBuild(root, "preload", hashSources(root, ["a"]));
  rememberBuild(root, "main", "other");
  expect(checkFreshness(root, part).isFresh).toBe(true);
  write(stampPath, "{");
  expect(checkFreshness(root, part).isFresh).toBe(false);
});

test("every part has sources and an output", () => {
  for (const name of partNames) {
    const part = getPart(name);
    expect(part.sources.length).toBeGreaterThan(2);
    expect(part.output).toMatch(/^\.vite\/(?:renderer|build|assets)\/[a-z-]+\.[a-z]+$/);
  }
});
