// The browser tests: finds or installs a browser, prints which one, and runs Playwright with it.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBrowser } from "./browser.ts";
import { countPlaywright, projectRoot, runNode, tools, type StepResult } from "./steps.ts";

export interface BrowserTestsOptions {
  readonly args?: readonly string[];
  /** Files that run against two readers of a service; "all" run against nothing else. */
  readonly readers?: "some" | "all";
}

export async function runBrowserTests(
  reportPath: string,
  { args = [], readers }: BrowserTestsOptions = {},
): Promise<StepResult> {
  const browser = await findBrowser();
  process.stderr.write(`Browser: ${browser.executablePath} (${browser.source})\n`);
  const status = await runNode(tools.playwright, ["test", "--config=e2e/playwright.config.ts", ...args], {
    ECHOTOP_BROWSER: browser.executablePath,
    PLAYWRIGHT_JSON_OUTPUT_NAME: reportPath,
    ...(readers && { ECHOTOP_TEST_READERS: readers }),
  });
  return countPlaywright(reportPath, status);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const report = join(projectRoot, ".vite", "reports", "browser.json");
  const result = await runBrowserTests(report, { args: process.argv.slice(2) });
  process.stdout.write(
    `${result.passed} passed, ${result.failed} failed, ${result.skipped.length} skipped\n`,
  );
  process.exitCode = result.failed === 0 ? 0 : 1;
}
