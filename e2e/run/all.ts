// `npm test`: format, lint, types, build, unit and contract tests, browser tests, some beside others. It runs every
// step even when one fails, and ends with the counts of all of them.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runBrowserTests } from "./browser-tests.ts";
import { countVitest, projectRoot, runCheck, runNode, type StepResult } from "./steps.ts";

const reports = join(projectRoot, ".vite", "reports");
const bin = (name: string): string => join(projectRoot, "node_modules", name);

const prettier = bin("prettier/bin/prettier.cjs");
const eslint = bin("eslint/bin/eslint.js");
const tsc = bin("typescript/bin/tsc");
const vitest = bin("vitest/vitest.mjs");

async function runUnitTests(): Promise<StepResult> {
  const report = join(reports, "unit.json");
  const status = await runNode(vitest, [
    "run",
    "--config=.config/vitest.config.ts",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  return countVitest(report, status);
}

type Step = readonly [name: string, run: () => Promise<StepResult>];

const lint: Step = [
  "lint",
  () => runCheck(eslint, ["--config=.config/eslint.config.js", "--max-warnings=0", "."]),
];
const format: Step = [
  "format",
  () =>
    runCheck(prettier, [
      "--config=.config/prettier.json",
      "--ignore-path=.config/prettierignore",
      "--log-level=warn",
      "--check",
      ".",
    ]),
];
const checks: readonly Step[] = [
  ["types", () => runCheck(tsc, ["--noEmit"])],
  ["types of shared", () => runCheck(tsc, ["--noEmit", "-p", "shared"])],
  ["build", () => runCheck("electron/build/build.ts", [])],
];
const unitTests: Step = ["unit and contract tests", runUnitTests];
const browserTests: Step = ["browser tests", () => runBrowserTests(join(reports, "browser.json"))];

/** One stage after the other; of a stage, each line beside the others. The unit tests take every processor by themselves. */
const stages: readonly (readonly (readonly Step[])[])[] = [
  [[format], checks],
  [[unitTests]],
  [[lint], [browserTests]],
];

async function runStep([name, run]: Step): Promise<StepResult> {
  process.stderr.write(`\n== ${name}\n`);
  const startedMs = performance.now();
  let result: StepResult;
  try {
    result = await run();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    result = { passed: 0, failed: 1, skipped: [] };
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  process.stderr.write(
    `== ${name}: ${result.passed} passed, ${result.failed} failed, ${result.skipped.length} skipped, ${seconds} s\n`,
  );
  return result;
}

async function runInTurn(steps: readonly Step[]): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const step of steps) results.push(await runStep(step));
  return results;
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const results: StepResult[] = [];
for (const stage of stages) results.push(...(await Promise.all(stage.map(runInTurn))).flat());

const skipped = results.flatMap((result) => result.skipped);
if (skipped.length > 0) process.stdout.write(`\nSkipped:\n${skipped.map((name) => `  ${name}\n`).join("")}`);
const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped\n`);
process.exitCode = failed === 0 ? 0 : 1;
