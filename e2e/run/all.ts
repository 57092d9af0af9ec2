// `npm test`: format, lint, types, build, unit and contract tests, browser tests. Continues after a failed step, and
// ends with the counts of all steps.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runBrowserTests } from "./browser-tests.ts";
import { countVitest, projectRoot, runCheck, runNode, tools, type StepResult } from "./steps.ts";

const reports = join(projectRoot, ".vite", "reports");

async function runUnitTests(): Promise<StepResult> {
  const report = join(reports, "unit.json");
  const status = await runNode(tools.vitest, [
    "run",
    "--config=.config/vitest.config.ts",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  return countVitest(report, status);
}

type Step = readonly [name: string, run: () => Promise<StepResult>];

/** One after another: the last two use every core, and each would make the other miss deadlines. */
const steps: readonly Step[] = [
  ["format", () => runCheck(tools.oxfmt, [...tools.oxfmtOptions, "--check", "."])],
  ["lint", () => runCheck(tools.oxlint, [...tools.oxlintOptions, "."])],
  ["types", () => runCheck(tools.tsc, ["--noEmit"])],
  ["types of shared", () => runCheck(tools.tsc, ["--noEmit", "-p", "shared"])],
  ["build", () => runCheck("electron/build/build.ts", [])],
  ["unit and contract tests", runUnitTests],
  ["browser tests", () => runBrowserTests(join(reports, "browser.json"))],
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

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const results: StepResult[] = [];
for (const step of steps) results.push(await runStep(step));

const skipped = results.flatMap((result) => result.skipped);
if (skipped.length > 0) process.stdout.write(`\nSkipped:\n${skipped.map((name) => `  ${name}\n`).join("")}`);
const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped\n`);
process.exitCode = failed === 0 ? 0 : 1;
