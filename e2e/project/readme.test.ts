// Checks every README: its commands parse, its scripts exist, its links lead to files, and the files it names exist.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { parseCommandLine } from "../../electron/commands/echotop.ts";
import { projectRoot } from "../../electron/support/host-process.ts";

const readmes = execFileSync("git", ["ls-files", "README.md", "**/README.md"], {
  cwd: projectRoot,
  encoding: "utf8",
})
  .trim()
  .split("\n");
const files = execFileSync("git", ["ls-files"], { cwd: projectRoot, encoding: "utf8" }).split("\n");
const { scripts } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};

const read = (path: string): string => readFileSync(join(projectRoot, path), "utf8");

/**
 * Returns the lines of a text's fenced `sh` blocks without comments; joins a line that ends in a backslash with the
 * next.
 */
function shellLines(text: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, body]) => body!);
  return blocks
    .flatMap((body) => body.replaceAll(/\\\n\s*/g, " ").split("\n"))
    .flatMap((line) => line.replace(/(^|\s)#.*$/, "").split("&&"))
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Splits a command line into words, with quotes as in a shell. */
function toWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain!,
  );
}

const cliPrefix = "npm run -s echotop -- ";

/** Returns the reason why a command of a README cannot work, or undefined. */
function findFault(line: string): string | undefined {
  if (line.startsWith(cliPrefix)) {
    const args = toWords(line.slice(cliPrefix.length));
    if (args.includes("--help") || args.includes("--version") || args[0] === "help") return undefined;
    try {
      parseCommandLine(args);
      return undefined;
    } catch (error) {
      return String(error);
    }
  }
  const [program, ...words] = toWords(line);
  if (program === "npm") {
    const name =
      words[0] === "run" ? words.find((word) => word !== "run" && !word.startsWith("-")) : words[0];
    return name === "ci" || name === "install" || Object.hasOwn(scripts, name ?? "")
      ? undefined
      : `no script ${name ?? ""}`;
  }
  if (program === "node") return existsSync(join(projectRoot, words[0]!)) ? undefined : `no file ${words[0]}`;
  return ["curl", "git", "bash", "export"].includes(program!) ? undefined : `an unknown program, ${program}`;
}

describe.each(readmes)("%s", (path) => {
  test("has commands that work", () => {
    const faults = shellLines(read(path)).map((line) => [line, findFault(line)]);
    expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([]);
  });

  test("has links that lead to a file", () => {
    const links = [...read(path).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link]) => link!);
    const local = links.filter((link) => !/^[a-z]+:/.test(link));
    const missing = local.filter(
      (link) => !existsSync(join(projectRoot, normalize(join(dirname(path), link)))),
    );
    expect(missing).toEqual([]);
  });

  test("names source files that exist", () => {
    const names = [...read(path).matchAll(/`([\w./-]+\.(?:ts|tsx|css))`/g)].map(([, name]) => name!);
    const missing = names.filter((name) => {
      const end = `/${name.replace(/^(?:\.\.?\/)+/, "")}`;
      return !files.some((file) => `/${file}`.endsWith(end));
    });
    expect(missing).toEqual([]);
  });
});

test("the first page is short", () => {
  expect(read("README.md").split("\n").length).toBeLessThanOrEqual(131);
});

test("every room has a README", () => {
  const rooms = execFileSync("git", ["ls-tree", "-d", "--name-only", "HEAD", "electron/", "renderer/"], {
    cwd: projectRoot,
    encoding: "utf8",
  });
  const electronRooms = rooms.split("\n").filter((room) => /^electron\/(?!support)/.test(room));
  const expected = [...electronRooms, "electron", "renderer", "shared", "e2e"].map(
    (room) => `${room}/README.md`,
  );
  expect(expected.filter((readme) => !readmes.includes(readme))).toEqual([]);
});

test("a wrong command is detected", () => {
  expect(shellLines("```sh\nnpm ci && npm start # now\n```\n")).toEqual(["npm ci", "npm start"]);
  expect(findFault(`${cliPrefix}ingest --nowhere`)).toBeDefined();
  expect(findFault("npm run nothing")).toBe("no script nothing");
  expect(findFault("rm -rf /")).toBeDefined();
});
