// A host and its mirror, run as users run them, each with its own directory and port so that either can be restarted.
import { writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { createFrameStore } from "../../electron/catalog/files/file-frame-store.ts";
import { openCatalog } from "../../electron/catalog/sqlite/open-catalog.ts";
import { verifyDirectory } from "../../electron/catalog/verify/verify-directory.ts";
import { programFiles } from "../../electron/host/config/program-files.ts";
import { ingestPaths } from "../../electron/pipeline/ingest/ingest-paths.ts";
import { createRenderPool } from "../../electron/pipeline/ingest/render-pool.ts";
import type { ProductId } from "../../shared/contract/primitives.ts";
import { MrmsHistory } from "../../shared/contract/history.ts";
import { writeGribFile } from "../../electron/support/grib-files.ts";
import {
  makeTemporaryDirectory,
  removeDirectory,
  startHost,
  type RunningHost,
} from "../../electron/support/host-process.ts";

/** A host that can be killed and restarted at its address. */
export class Station {
  readonly directory: string;
  readonly port: number;
  readonly #args: readonly string[];
  #host: RunningHost | undefined;

  constructor(directory: string, port: number, args: readonly string[]) {
    this.directory = directory;
    this.port = port;
    this.#args = args;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get stderr(): string {
    return this.#host?.stderr() ?? "";
  }

  async start(): Promise<this> {
    this.#host = await startHost(this.directory, ["--port", String(this.port), ...this.#args]);
    return this;
  }

  /** Resolves with the exit status. */
  async stop(): Promise<number | null | undefined> {
    const host = this.#host;
    this.#host = undefined;
    return host?.stop();
  }

  /** Ends the process as a power cut would, and waits until it is gone. */
  async kill(): Promise<void> {
    const child = this.#host!.process;
    this.#host = undefined;
    const gone = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGKILL");
    await gone;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A temporary folder of the running test. */
export class Workplace {
  readonly root = makeTemporaryDirectory("mirror");
  readonly #pool = createRenderPool({ workerUrl: programFiles.renderWorkerUrl, size: 1 });
  #files = 0;
  readonly #stations: Station[] = [];

  async createStation(name: string, args: readonly string[] = []): Promise<Station> {
    const station = new Station(join(this.root, name), await freePort(), args);
    this.#stations.push(station);
    return station;
  }

  /** Starts a host that mirrors the service at `url` and polls every second. */
  async createMirror(name: string, url: string): Promise<Station> {
    const config = join(this.root, `${name}.json`);
    writeFileSync(config, JSON.stringify({ feed: { poll_seconds: 1, backoff_max_seconds: 1 } }));
    return this.createStation(name, ["--feed", `mirror:${url}`, "--config", config]);
  }

  /** Ingests one file of an observation window into the directory of a running host. */
  async ingest(
    { directory }: Station,
    event: string,
    window: number,
    facts: IngestFacts = {},
  ): Promise<void> {
    const { product = "mrms-mesh", shade = window, kind = "historical-event" } = facts;
    const path = writeGribFile(this.root, {
      product,
      observedAt: new Date(Date.UTC(2024, 4, 1, 20, 2 * window, 39)).toISOString(),
      values: (row, column) => ((row * 7 + column + shade) % 12) * 5,
      name: `MRMS_${product}_${this.#files++}.grib2.gz`,
    });
    const catalog = await openCatalog({ directory, now: () => new Date() });
    try {
      await ingestPaths({
        paths: [path],
        event: { id: event, kind },
        catalog,
        frames: createFrameStore({ directory }),
        pool: this.#pool,
        onFile: (file) => {
          if (file.status === "failed") throw new Error(file.error);
        },
      });
    } finally {
      await catalog.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#stations.map((station) => station.stop()));
    await this.#pool.close();
    removeDirectory(this.root);
  }
}

export interface IngestFacts {
  readonly product?: ProductId;
  /** Changes the values. */
  readonly shade?: number;
  readonly kind?: "historical-event" | "operational-feed";
}

/** Returns the faults that `verify` finds in a directory. */
export async function faultsOf({ directory }: Station): Promise<unknown[]> {
  const { findings } = await verifyDirectory(directory);
  return findings.filter(({ severity }) => severity === "fault");
}

export async function readHistory(origin: string, event: string): Promise<MrmsHistory | undefined> {
  const response = await fetch(`${origin}/v1/storm-events/${event}/revisions?limit=360`);
  return response.status === 200 ? MrmsHistory.parse(await response.json()) : undefined;
}

/** Returns all that a client sees of an event's revisions: the bytes of manifests, and frames by path. */
export async function readAll(
  origin: string,
  event: string,
): Promise<{ manifests: string[]; frames: Map<string, Buffer> }> {
  const manifests: string[] = [];
  const frames = new Map<string, Buffer>();
  for (const { revisionId, layers } of (await readHistory(origin, event))?.frames ?? []) {
    const manifest = await fetch(`${origin}/v1/storm-events/${event}/revisions/${revisionId!}/manifest`);
    manifests.push(await manifest.text());
    for (const { imageUrl } of layers) {
      if (frames.has(imageUrl)) continue;
      const frame = await fetch(origin + imageUrl);
      if (frame.status !== 200) throw new Error(`The frame ${imageUrl} is answered with ${frame.status}.`);
      frames.set(imageUrl, Buffer.from(await frame.arrayBuffer()));
    }
  }
  return { manifests, frames };
}
