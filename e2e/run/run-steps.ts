// Runs the steps of a test run one after the other, also after a failed one, and ends with the counts of all.
import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { countVitest, projectRoot, runNode, tools, type StepResult } from "./steps.ts";

export type Step = readonly [name: string, run: (reports: string) => Promise<StepResult>];

/** Returns a step that runs the tests of a Vitest configuration. */
export function vitestStep(name: string, config: string, env: NodeJS.ProcessEnv = {}): Step {
  return [
    name,
    async (reports) => {
      const report = join(reports, `${basename(config)}.json`);
      const outputs = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
      const args = ["run", `--config=${config}`, ...outputs];
      return countVitest(report, await runNode(tools.vitest, args, env));
    },
  ];
}

async function runStep([name, run]: Step, reports: string): Promise<StepResult> {
  process.stderr.write(`\n== ${name}\n`);
  const startedMs = performance.now();
  let result: StepResult;
  try {
    result = await run(reports);
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

/** Steps follow each other because each would make the others miss deadlines. Sets the exit code. */
export async function runSteps(steps: readonly Step[]): Promise<void> {
  const reports = join(projectRoot, ".vite", "reports");
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const results: StepResult[] = [];
  for (const step of steps) results.push(await runStep(step, reports));

  const skipped = results.flatMap((result) => result.skipped);
  if (skipped.length > 0)
    process.stdout.write(`\nSkipped:\n${skipped.map((name) => `  ${name}\n`).join("")}`);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped.length} skipped\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}
