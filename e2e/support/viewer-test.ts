// The `test` of the browser specs: the viewer's page, and a station of Echotop, which is a host on a data directory of its own.
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

/** A data directory, the command line on it, and a host that the test starts when it wants one. */
export class Station {
  #root: string | undefined;
  #host: RunningHost | undefined;

  /** The data directory, inside a folder that is made when it is first asked for. */
  get data(): string {
    return join(this.#folder(), "data");
  }

  get origin(): string {
    if (this.#host === undefined) throw new Error("The station's host has not been started.");
    return this.#host.origin;
  }

  /** Starts a host on the directory, which answers when this resolves. */
  async start(args: readonly string[] = []): Promise<void> {
    this.#host = await startHost(this.data, args);
  }

  /** Interrupts the host, and expects that it ends well. */
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
  /** The test's own: empty, and without a host yet. */
  readonly station: Station;
}

export const test = base.extend<ViewerFixtures>({
  viewer: async ({ page }, use) => {
    await use(new ViewerPage(page));
  },
  // Playwright reads from this pattern that nothing else is needed.
  station: async ({}, use) => {
    const station = new Station();
    await use(station);
    await station.close();
  },
});

/** A station that all tests of the calling file share, made ready before the first of them. */
export function shareStation(prepare: (station: Station) => Promise<void>): Station {
  const station = new Station();
  test.beforeAll(() => prepare(station));
  test.afterAll(() => station.close());
  return station;
}

/** As {@link shareStation}, with one reflectivity revision of an event. */
export function shareStorm(quadrants: Quadrants): Station {
  return shareStation(async (station) => {
    await station.ingestKnown("storm", [
      { product: "mrms-reflectivity", observedAt: observedAt(0), quadrants },
    ]);
    await station.start();
  });
}
