// `npm test`: format, lint, types, build, unit and contract tests, browser tests.
import { join } from "node:path";
import { runBrowserTests } from "./browser-tests.ts";
import { runSteps, vitestStep } from "./run-steps.ts";
import { runCheck, tools } from "./steps.ts";

await runSteps([
  ["format", () => runCheck(tools.oxfmt, [...tools.oxfmtOptions, "--check", "."])],
  ["lint", () => runCheck(tools.oxlint, [...tools.oxlintOptions, "."])],
  ["types", () => runCheck(tools.tsc, ["--noEmit"])],
  ["types of shared", () => runCheck(tools.tsc, ["--noEmit", "-p", "shared"])],
  ["build", () => runCheck("electron/build/build.ts", [])],
  vitestStep("unit and contract tests", ".config/vitest.config.ts"),
  ["browser tests", (reports) => runBrowserTests(join(reports, "browser.json"), { readers: "some" })],
]);
