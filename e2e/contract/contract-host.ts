// A running host for the contract tests: the command line's `serve` in its own process, and this process as the writer
// that publishes into its data directory, damages it, and sends it requests.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Catalog, PublishedLayer, RevisionRecord } from "../../electron/catalog/catalog.ts";
import { dataDirectory, frameLocation } from "../../electron/catalog/files/data-directory.ts";
import { createFrameStore } from "../../electron/catalog/files/file-frame-store.ts";
import type { FrameStore } from "../../electron/catalog/files/frame-store.ts";
import { openCatalog } from "../../electron/catalog/sqlite/open-catalog.ts";
import type { ProductId } from "../../shared/contract/primitives.ts";
import {
  makeTemporaryDirectory,
  removeDirectory,
  startHost,
  type RunningHost,
} from "../../electron/support/host-process.ts";
import { exchange, sendAndLeave, type ExchangeOptions, type RawAnswer } from "./raw-http.ts";

export interface LayerFacts {
  readonly productId?: ProductId;
  /** Minutes after the first observation time of these tests. */
  readonly minutes: number;
  /** Identifies the picture and its GRIB2 message. */
  readonly content?: string;
}

export class ContractHost {
  readonly host: RunningHost;
  readonly catalog: Catalog;
  readonly frames: FrameStore;
  readonly origin: string;
  readonly port: number;
  readonly directory: string;

  private constructor(host: RunningHost, catalog: Catalog, frames: FrameStore) {
    this.host = host;
    this.catalog = catalog;
    this.frames = frames;
    this.origin = host.origin;
    this.port = Number(new URL(host.origin).port);
    this.directory = host.dataDirectory;
  }

  /** `configuration` becomes the host's configuration file. */
  static async start(configuration?: unknown): Promise<ContractHost> {
    const directory = makeTemporaryDirectory("contract");
    const file = join(directory, "configuration.json");
    const args = configuration === undefined ? [] : ["--config", file];
    if (configuration !== undefined) writeFileSync(file, JSON.stringify(configuration));
    const host = await startHost(directory, args);
    const catalog = await openCatalog({ directory, now: () => new Date() });
    return new ContractHost(host, catalog, createFrameStore({ directory }));
  }

  async stop(): Promise<void> {
    await this.frames.close();
    await this.catalog.close();
    await this.host.stop();
    removeDirectory(this.directory);
  }

  get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
    return fetch(this.origin + path, { headers, method, redirect: "manual" });
  }

  /** Sends bytes over a new connection, and reads answers until the service ends it. */
  exchange(bytes: string | Uint8Array, options: ExchangeOptions = {}): Promise<RawAnswer[]> {
    return exchange(this.port, bytes, options);
  }

  /** Sends bytes, hangs up, and resolves when the connection is gone. */
  endSocket(bytes: Uint8Array): Promise<void> {
    return sendAndLeave(this.port, bytes);
  }

  /** Publishes one revision of an event, pictures included. */
  async publish(eventId: string, ...facts: LayerFacts[]): Promise<RevisionRecord> {
    const layers: PublishedLayer[] = [];
    for (const layer of facts) layers.push(await this.#store(eventId, layer));
    const event = { id: eventId, label: `Event ${eventId}` };
    const { revision } = await this.catalog.publish({ event, layers, assetIds: [] });
    if (!revision) throw new Error("The publication changed nothing; give it other content.");
    return revision;
  }

  /** Registers a benchmark window without data. */
  async register(eventId: string): Promise<void> {
    const window = { startedAt: observedAt(0), endedAt: observedAt(60) };
    await this.catalog.registerEvent({ id: eventId, label: "Registered", ...window });
  }

  /** Replaces the stored bytes of a manifest, and optionally their hash. */
  damageManifest({ eventId, revisionId }: RevisionRecord, bytes: string, keepsHash: boolean): void {
    const hash = createHash("sha256").update(bytes).digest("hex");
    this.#change(
      `UPDATE revisions SET manifest = ?, manifest_sha256 = coalesce(?, manifest_sha256)
       WHERE event_id = ? AND revision_id = ?`,
      Buffer.from(bytes),
      keepsHash ? hash : null,
      eventId,
      revisionId,
    );
  }

  frameFile(frameId: string): string {
    return frameLocation(dataDirectory(this.directory).framesFolder, frameId).file;
  }

  async #store(
    eventId: string,
    { productId = "mrms-mesh", minutes, content }: LayerFacts,
  ): Promise<PublishedLayer> {
    const text = content ?? `${eventId} ${productId} ${minutes}`;
    const frameId = await this.frames.put(Buffer.from(`\u0089PNG\r\n\u001a\n${text}`, "latin1"));
    return {
      productId,
      observedAt: observedAt(minutes),
      frameId,
      bounds: [-99.5, 34, -96, 37.25],
      messageSha256: createHash("sha256").update(text).digest("hex"),
      sourceUrl: "ni:///sha-256;AAAA",
      sourceLastModified: undefined,
    };
  }

  /** Writes past the catalog, as damage does. */
  #change(sql: string, ...values: (string | number | Buffer | null)[]): void {
    const database = new DatabaseSync(dataDirectory(this.directory).catalogFile);
    try {
      database.prepare(sql).run(...values);
    } finally {
      database.close();
    }
  }
}

function observedMs(minutes: number): number {
  return Date.UTC(2024, 4, 20, 21, minutes);
}

export function observedAt(minutes: number): string {
  return new Date(observedMs(minutes)).toISOString();
}
