// A station of the browser tests: stores that the command line fills, and the service on them that a page opens. That
// is one host on a data directory; in the Playwright project "two readers", two readers of a service and a balancer.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import {
  makeTemporaryDirectory,
  removeDirectory,
  runCommand,
  startHost,
  type FinishedCommand,
  type RunningHost,
} from "../../electron/support/host-process.ts";
import { writeKnownFile, type KnownFile } from "./known-storm.ts";
import { createServiceSite, type ServiceSite } from "./service-site.ts";
import { findTestServer } from "./test-server.ts";
import { hasTwoReaders, TwoReaders, twoReadersNeeds } from "./two-readers.ts";

interface Serving {
  readonly origin: string;
  /** Interrupts all processes; resolves with their exit statuses. */
  stop(): Promise<(number | null)[]>;
}

function isBehindBalancer(): boolean {
  return test.info().project.name === "two readers";
}

/** Skips the tests of the calling file where all files run against two readers. */
export function needsDirectory(reason: string): void {
  test.skip(process.env.ECHOTOP_TEST_READERS === "all", reason);
}

/** Use it in hooks and tests. */
export class Station {
  #root: string | undefined;
  #site: Promise<ServiceSite> | undefined;
  #serving: Serving | undefined;

  /** Path of the data directory, if there is one; its parent folder is created on first use. */
  get data(): string {
    return join(this.#folder(), "data");
  }

  get origin(): string {
    if (this.#serving === undefined) throw new Error("The station's host has not been started.");
    return this.#serving.origin;
  }

  /** Returns the options that name the stores to a command. */
  async stores(): Promise<readonly string[]> {
    return isBehindBalancer() ? ["--config", (await this.#openSite()).config] : ["--data", this.data];
  }

  async framesFolder(): Promise<string> {
    return isBehindBalancer() ? (await this.#openSite()).framesFolder : join(this.data, "frames");
  }

  /** Starts a host with these options of `serve`; resolves once it responds. */
  async start(args: readonly string[] = []): Promise<void> {
    this.#serving = isBehindBalancer()
      ? await serveBehindBalancer(await this.#openSite(), args)
      : await serveDirectory(this.data, args);
  }

  /** Interrupts the host and expects a clean exit. */
  async stop(): Promise<void> {
    for (const status of (await this.#serving?.stop()) ?? []) expect(status).toBe(0);
  }

  /** Ingests the paths, expecting no failure. */
  async ingest(
    event: string,
    paths: readonly string[],
    args: readonly string[] = [],
  ): Promise<FinishedCommand> {
    const command = ["ingest", ...(await this.stores()), "--event", event, ...args, ...paths];
    const finished = await runCommand(command);
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
      await this.stop();
    } finally {
      if (this.#root) removeDirectory(this.#root);
    }
  }

  #folder(): string {
    this.#root ??= makeTemporaryDirectory("browser");
    return this.#root;
  }

  #openSite(): Promise<ServiceSite> {
    test.skip(!hasTwoReaders, twoReadersNeeds);
    this.#site ??= createServiceSite({ folder: this.#folder(), ...findTestServer() });
    return this.#site;
  }
}

async function serveDirectory(data: string, args: readonly string[]): Promise<Serving> {
  const host = await startHost(data, args);
  return { origin: host.origin, stop: async () => [await host.stop()] };
}

/** Starts a third process for a feed or the demonstration, which only one may run. */
async function serveBehindBalancer(site: ServiceSite, args: readonly string[]): Promise<Serving> {
  const at = args.indexOf("--config");
  const work = at < 0 ? args : args.toSpliced(at, 2);
  const keys =
    at < 0 ? {} : (JSON.parse(readFileSync(args[at + 1]!, "utf8")) as Readonly<Record<string, unknown>>);
  const readers = await TwoReaders.start(site, { keys });
  const feeder: RunningHost[] = [];
  if (work.length > 0) {
    const config = site.writeConfig("feeder", { ...keys, roles: ["feed"] });
    feeder.push(await startHost(join(site.folder, "feeder"), ["--config", config, ...work]));
  }
  return {
    origin: readers.origin,
    stop: async () => [...(await readers.stop()), ...(await Promise.all(feeder.map((host) => host.stop())))],
  };
}
