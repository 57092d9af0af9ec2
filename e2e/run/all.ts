// `npm test`: format, lint, types, build, unit and contract tests, and the browser tests of what the viewer is for.
// `--all` adds the long ones: files named `.long.test.ts`, and every other browser test.
import { join } from "node:path";
import { runBrowserTests } from "./browser-tests.ts";
import { runSteps, vitestStep } from "./run-steps.ts";
import { runCheck, tools } from "./steps.ts";

const isAll = process.argv.includes("--all");

await runSteps([
  ["format", () => runCheck(tools.oxfmt, [...tools.oxfmtOptions, "--check", "."])],
  ["lint", () => runCheck(tools.oxlint, [...tools.oxlintOptions, "."])],
  ["types", () => runCheck(tools.tsc, ["--noEmit"])],
  ["types of shared", () => runCheck(tools.tsc, ["--noEmit", "-p", "shared"])],
  ["build", () => runCheck("electron/build/build.ts", [])],
  vitestStep("unit and contract tests", ".config/vitest.config.ts", {
    ECHOTOP_TESTS: isAll ? "all" : "core",
  }),
  [
    "browser tests",
    (reports) =>
      runBrowserTests(join(reports, "browser.json"), {
        args: isAll ? [] : ["--grep", "@core"],
        readers: "some",
      }),
  ],
]);
