// Tests of a service on real engines: PostgreSQL, Ceph and Swift, started by the tests.
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    globalSetup: ["electron/support/build-first.ts"],
    include: ["{electron,e2e}/**/*.service.test.ts"],
    pool: "forks",
    // The engines share the processors with the tests.
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ["default"],
  },
});
