// Runs one step of the test run as a process and counts its tests from a JSON report.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

const inPackages = (path: string): string => join(projectRoot, "node_modules", path);

/** Scripts of the development tools and the options that each call uses. */
export const tools = {
  oxlint: inPackages("oxlint/bin/oxlint"),
  oxlintOptions: ["--config=.config/oxlint.json", "--deny-warnings"],
  oxfmt: inPackages("oxfmt/bin/oxfmt"),
  oxfmtOptions: ["--config=.config/oxfmt.json", "--ignore-path=.config/oxfmt.ignore"],
  playwright: inPackages("@playwright/test/cli.js"),
  tsc: inPackages("typescript/bin/tsc"),
  vitest: inPackages("vitest/vitest.mjs"),
} as const;

export interface StepResult {
  readonly passed: number;
  readonly failed: number;
  /** Full names of the skipped tests. */
  readonly skipped: readonly string[];
}

/** Runs a script with this process's Node; resolves with the exit status. */
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
      if (signal) process.stderr.write(`${script} was terminated by ${signal}\n`);
      resolve(code ?? 1);
    });
  });
}

/** Runs a tool that reports no tests; counts it as one test. */
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

/** Reads the counts of a Vitest JSON report. A file that failed before its first test counts as one failure. */
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
    readonly tests: readonly {
      readonly status: string;
      readonly projectName: string;
      readonly annotations: readonly { readonly type: string; readonly description?: string }[];
    }[];
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
      .map(({ projectName, annotations }) => {
        const reason = annotations.find(({ type }) => type === "skip")?.description;
        const name = [projectName, ...here, spec.title].filter(Boolean).join(" › ");
        return reason === undefined ? name : `${name} (${reason})`;
      }),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => skippedSpecs(inner, here))];
}
