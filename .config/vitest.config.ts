// Unit and contract tests. They sit beside what they test, and under e2e/contract for whole-service ones.
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    include: [
      "{electron,shared,renderer}/**/*.test.{ts,tsx}",
      "e2e/{contract,project,crash,feed,replay,mirror,commands,repositories,gateway}/**/*.test.ts",
    ],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ["default"],
  },
});
