// `npm run check [-- COMMIT]`: checks all types, and runs format, lint and unit tests in the folders changed since
// COMMIT (default HEAD). A quick check between edits; `npm test` checks everything.
import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { projectRoot, runNode, tools } from "./steps.ts";

const [since = "HEAD"] = process.argv.slice(2);

function listFiles(...args: readonly string[]): string[] {
  const output = execFileSync("git", args, { cwd: projectRoot, encoding: "utf8" });
  return output.split("\n").filter((line) => line !== "");
}

const changed = [
  ...listFiles("diff", "--name-only", "--diff-filter=d", since, "--"),
  ...listFiles("ls-files", "--others", "--exclude-standard"),
];
const sources = changed.filter((path) => /\.tsx?$/.test(path));
const folders = new Set(
  sources.filter((path) => !path.startsWith("e2e/")).map((path) => `${dirname(path)}/`),
);

interface Check {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
  readonly isWanted: boolean;
}

const types: Check = { name: "types", script: tools.tsc, args: ["--noEmit"], isWanted: true };
const typesOfShared: Check = {
  name: "types of shared",
  script: tools.tsc,
  args: ["--noEmit", "-p", "shared"],
  isWanted: sources.some((path) => path.startsWith("shared/")),
};
const unitTests: Check = {
  name: "unit tests",
  script: tools.vitest,
  args: ["run", "--config=.config/vitest.config.ts", "--project=unit", "--passWithNoTests", ...folders],
  isWanted: folders.size > 0,
};
const format: Check = {
  name: "format",
  script: tools.oxfmt,
  args: [...tools.oxfmtOptions, "--check", "--no-error-on-unmatched-pattern", ...changed],
  isWanted: changed.length > 0,
};
const lint: Check = {
  name: "lint",
  script: tools.oxlint,
  args: [...tools.oxlintOptions, ...sources],
  isWanted: sources.length > 0,
};

async function runInTurn(checks: readonly Check[]): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, script, args, isWanted } of checks)
    if (isWanted && (await runNode(script, args)) !== 0) failed.push(name);
  return failed;
}

const startedMs = performance.now();
const failed = (
  await Promise.all([runInTurn([types, typesOfShared, unitTests]), runInTurn([format, lint])])
).flat();
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
const outcome = failed.length === 0 ? "passed" : `failed: ${failed.join(", ")}`;
process.stdout.write(
  `\nFiles changed since ${since}: ${changed.length}. Checks ${outcome} (${seconds} s).\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
