// Tests of a service on real engines: PostgreSQL, Ceph and Swift, started by the tests.
import { defineConfig } from "vitest/config";
import { behindBalancer, rawFiles } from "./two-readers.ts";

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    pool: "forks",
    // The engines share the processors with the tests.
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ["default"],
    projects: [
      {
        extends: true,
        test: {
          name: "engines",
          globalSetup: ["electron/support/build-first.ts"],
          include: ["{electron,e2e}/**/*.service.test.ts"],
        },
      },
      // The app of a directory has paths for actions, which readers of a service refuse.
      behindBalancer("requests", ["e2e/contract/*.test.ts"], [...rawFiles, "e2e/contract/app-paths.test.ts"]),
      behindBalancer("connections", rawFiles),
    ],
  },
});
