// Unit and contract tests. They sit beside what they test, and under e2e for whole-service ones.
import { defineConfig } from "vitest/config";
import { SlowestFirst } from "./slowest-first.ts";

/** `npm run test:service` runs the first, `npm run test:all` the others. */
const elsewhere = [
  "**/*.service.test.ts",
  ...(process.env.ECHOTOP_TESTS === "all" ? [] : ["**/*.long.test.ts"]),
];

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ["default"],
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{electron,shared,renderer}/**/*.test.{ts,tsx}"],
          exclude: elsewhere,
          // Starting a process and loading its modules takes longer than most of these files. What a file changes in
          // a module or in the environment, it puts back.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "whole",
          // These tests run the program as users do, from its bundles.
          globalSetup: ["electron/support/build-first.ts"],
          include: [
            "e2e/{contract,project,crash,flood,feed,replay,mirror,commands,hosting,gateway,service}/**/*.test.ts",
          ],
          exclude: elsewhere,
        },
      },
    ],
  },
});
