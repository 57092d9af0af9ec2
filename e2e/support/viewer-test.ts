// The `test` function of the browser specs, with two fixtures: the viewer's page, and a station, which is a host with
// its own data directory.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test as base } from "@playwright/test";
import {
  makeTemporaryDirectory,
  removeDirectory,
  runCommand,
  startHost,
  type FinishedCommand,
  type RunningHost,
} from "../../electron/support/host-process.ts";
import { observedAt, writeKnownFile, type KnownFile, type Quadrants } from "./known-storm.ts";
import { ViewerPage } from "./viewer-page.ts";

/** A data directory, its command line, and a host that the test starts. */
export class Station {
  #root: string | undefined;
  #host: RunningHost | undefined;

  /** Path of the data directory; its parent folder is created on first use. */
  get data(): string {
    return join(this.#folder(), "data");
  }

  get origin(): string {
    if (this.#host === undefined) throw new Error("The station's host has not been started.");
    return this.#host.origin;
  }

  /** Starts a host on the directory; resolves once it responds. */
  async start(args: readonly string[] = []): Promise<void> {
    this.#host = await startHost(this.data, args);
  }

  /** Interrupts the host and expects a clean exit. */
  async stop(): Promise<void> {
    expect(await this.#host?.stop()).toBe(0);
  }

  /** Ingests the paths, expecting no failure. */
  async ingest(
    event: string,
    paths: readonly string[],
    args: readonly string[] = [],
  ): Promise<FinishedCommand> {
    const finished = await runCommand(["ingest", "--data", this.data, "--event", event, ...args, ...paths]);
    expect(finished).toMatchObject({ status: 0 });
    return finished;
  }

  /** Ingests files of the known storm. */
  ingestKnown(
    event: string,
    files: readonly KnownFile[],
    args?: readonly string[],
  ): Promise<FinishedCommand> {
    const folder = join(this.#folder(), "files");
    mkdirSync(folder, { recursive: true });
    const paths = files.map((file) => writeKnownFile(folder, file));
    return this.ingest(event, paths, args);
  }

  async close(): Promise<void> {
    try {
      if (this.#host) await this.stop();
    } finally {
      if (this.#root) removeDirectory(this.#root);
    }
  }

  #folder(): string {
    this.#root ??= makeTemporaryDirectory("browser");
    return this.#root;
  }
}

interface ViewerFixtures {
  readonly viewer: ViewerPage;
  /** A station per test, with an empty directory and no running host. */
  readonly station: Station;
}

export const test = base.extend<ViewerFixtures>({
  viewer: async ({ page }, use) => {
    await use(new ViewerPage(page));
  },
  // Playwright requires this pattern for a fixture that needs no other.
  station: async ({}, use) => {
    const station = new Station();
    await use(station);
    await station.close();
  },
});

/** Creates a station shared by all tests of the calling file, prepared before the first. */
export function shareStation(prepare: (station: Station) => Promise<void>): Station {
  const station = new Station();
  test.beforeAll(() => prepare(station));
  test.afterAll(() => station.close());
  return station;
}

/** Like {@link shareStation}, with one reflectivity revision of an event. */
export function shareStorm(quadrants: Quadrants): Station {
  return shareStation(async (station) => {
    await station.ingestKnown("storm", [
      { product: "mrms-reflectivity", observedAt: observedAt(0), quadrants },
    ]);
    await station.start();
  });
}
