// One step of the test run: a command of its own, its output passed through, its tests counted from a JSON report.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

export interface StepResult {
  readonly passed: number;
  readonly failed: number;
  /** Full names of the skipped tests. */
  readonly skipped: readonly string[];
}

/** Runs a Node script of the project (or of a package) with this very Node; resolves with the exit status. */
export function runNode(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: projectRoot,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, ...env },
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      if (signal) process.stderr.write(`${script} was ended by ${signal}\n`);
      resolve(code ?? 1);
    });
  });
}

/** A check without tests of its own counts as one: it passes or it fails. */
export async function runCheck(script: string, args: readonly string[]): Promise<StepResult> {
  const status = await runNode(script, args);
  return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: [] };
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Counts of a Vitest JSON report. A file that failed before its first test counts as one failure. */
export function countVitest(reportPath: string, status: number): StepResult {
  const report = JSON.parse(readFileSync(reportPath, "utf8")) as VitestReport;
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = Math.max(
    report.numFailedTests,
    report.numFailedTestSuites > 0 ? 1 : 0,
    status === 0 ? 0 : 1,
  );
  return {
    passed: report.numPassedTests,
    failed,
    skipped: tests
      .filter(({ status }) => status !== "passed" && status !== "failed")
      .map(({ fullName }) => fullName),
  };
}

interface PlaywrightSuite {
  readonly title: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly tests: readonly { readonly status: string; readonly projectName: string }[];
  }[];
}

interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
  readonly suites: readonly PlaywrightSuite[];
  readonly errors: readonly unknown[];
}

export function countPlaywright(reportPath: string, status: number): StepResult {
  const report = JSON.parse(readFileSync(reportPath, "utf8")) as PlaywrightReport;
  const failed = Math.max(report.stats.unexpected + report.errors.length, status === 0 ? 0 : 1);
  return {
    passed: report.stats.expected + report.stats.flaky,
    failed,
    skipped: report.suites.flatMap((suite) => skippedSpecs(suite, [])),
  };
}

function skippedSpecs(suite: PlaywrightSuite, path: readonly string[]): string[] {
  const here = [...path, suite.title];
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === "skipped")
      .map(({ projectName }) => [projectName, ...here, spec.title].filter(Boolean).join(" › ")),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => skippedSpecs(inner, here))];
}
