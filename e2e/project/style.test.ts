// Style rules that a program can check: lengths of files and comments, openings of docstrings, files that comments
// cite, spelling.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import { projectRoot } from "../../electron/support/host-process.ts";

const paths = execFileSync("git", ["ls-files", "*.ts", "*.tsx"], { cwd: projectRoot, encoding: "utf8" })
  .trim()
  .split("\n");
const names = new Set(
  execFileSync("git", ["ls-files"], { cwd: projectRoot, encoding: "utf8" })
    .trim()
    .split("\n")
    .map((path) => basename(path)),
);
const isProduct = (path: string): boolean =>
  /^(electron|renderer|shared)\//.test(path) && !/\.test\.tsx?$|\/support\//.test(path);

interface Comment {
  /** Path and line, such as `electron/start.ts:12`. */
  readonly place: string;
  readonly text: string;
}

function readComments(path: string): Comment[] {
  const text = readFileSync(join(projectRoot, path), "utf8");
  return parseSync(path, text).comments.map(({ start, end }) => ({
    place: `${path}:${text.slice(0, start).split("\n").length}`,
    text: text.slice(start, end),
  }));
}

const comments = paths.flatMap(readComments);

test("no comment is wider than 120 columns", () => {
  const wide = comments.filter(({ text }) => text.split("\n").some((line) => line.length > 120));
  expect(wide.map(({ place }) => place)).toEqual([]);
});

test("no docstring begins with a relative pronoun or a preposition", () => {
  const opening = /^\/\*\*[\s*]*(Of|Whose|Who|Whom|What|That|Which|Where|Whether|How|As)\b/;
  const stilted = comments.filter(({ text }) => opening.test(text));
  expect(stilted.map(({ place }) => place)).toEqual([]);
});

test("comments cite files that exist", () => {
  const missing = comments.flatMap(({ place, text }) => {
    const cited = [...text.matchAll(/(?<![\w./-])((?:[\w.-]+\/)*[\w-]+\.(?:tsx?|css))\b/g)].map(
      ([, name]) => name!,
    );
    const folder = dirname(place);
    const isThere = (name: string): boolean =>
      names.has(basename(name)) &&
      (!name.includes("/") ||
        existsSync(join(projectRoot, name)) ||
        existsSync(join(projectRoot, folder, name)));
    return cited.filter((name) => !isThere(name)).map((name) => `${place}: ${name}`);
  });
  expect(missing).toEqual([]);
});

test("product files are short", () => {
  const lengths = paths
    .filter(isProduct)
    .map((path) => ({ path, lines: readFileSync(join(projectRoot, path), "utf8").split("\n").length - 1 }))
    .toSorted((left, right) => left.lines - right.lines);
  expect(lengths.filter(({ lines }) => lines > 400)).toEqual([]);
  expect(lengths[Math.floor(lengths.length / 2)]!.lines).toBeLessThan(90);
});

test("spelling is American", () => {
  const british = /colour(?!space)|grey|neighbour|millimetre|kilometre|catalogue|recognise|behaviour|centre/i;
  // Both name the wrong spelling on purpose.
  const isOwnText = (path: string): boolean => !/style\.test\.ts$|graphql-route\.test\.ts$/.test(path);
  const found = paths.filter(isOwnText).flatMap((path) =>
    readFileSync(join(projectRoot, path), "utf8")
      .split("\n")
      .flatMap((line, index) => (british.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
