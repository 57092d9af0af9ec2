// The browser tests drive the built viewer against the real host. `npm run browser` finds a browser and runs them.
// ECHOTOP_TEST_READERS adds two readers of a service behind a balancer: "some" for a few of the files, "all" for all.
import { defineConfig } from "@playwright/test";

const executablePath = process.env.ECHOTOP_BROWSER;
const asRoot = process.getuid?.() === 0;

const readers = process.env.ECHOTOP_TEST_READERS;
const some = ["**/live-revision.spec.ts", "**/states.spec.ts"];

export default defineConfig({
  testDir: "browser",
  globalSetup: readers === undefined ? [] : ["./support/test-server.ts"],
  projects: [
    ...(readers === "all" ? [] : [{ name: "directory" }]),
    ...(readers === undefined
      ? []
      : [{ name: "two readers", ...(readers === "some" ? { testMatch: some } : {}) }]),
  ],
  outputDir: "../test-results",
  timeout: 90_000,
  expect: { timeout: 15_000 },
  fullyParallel: false,
  workers: 2,
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  reporter: [["list"], ["json"]],
  use: {
    viewport: { width: 800, height: 540 },
    // Without pictures, whose recording takes a sixth of the run's processor time.
    trace: { mode: "retain-on-failure", screenshots: false },
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        ...(asRoot ? ["--no-sandbox"] : []),
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--force-color-profile=srgb",
      ],
    },
  },
});
