// A running host for the contract tests, and this process as the writer that publishes into its stores, damages them,
// and sends it requests. The host is `serve` on a data directory, or two readers of a service behind a balancer.
import { createHash, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Catalog, PublishedLayer, RevisionRecord } from "../../electron/catalog/catalog.ts";
import type { ProductId } from "../../shared/contract/primitives.ts";
import type { RunningHost } from "../../electron/support/host-process.ts";
import type { BalancedUnit } from "../support/balancer.ts";
import type { ContractPlace } from "./contract-place.ts";
import { serveDirectory } from "./directory-place.ts";
import { exchange, sendAndLeave, type ExchangeOptions, type RawAnswer } from "./raw-http.ts";
import { serveBalanced } from "./service-place.ts";

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
  readonly origin: string;
  readonly port: number;
  readonly directory: string;
  readonly #place: ContractPlace;

  private constructor(place: ContractPlace) {
    this.#place = place;
    this.host = place.host;
    this.catalog = place.stores.catalog;
    this.origin = place.host.origin;
    this.port = Number(new URL(place.host.origin).port);
    this.directory = place.directory;
  }

  /** `configuration` becomes the host's configuration file. */
  static async start(configuration?: Readonly<Record<string, unknown>>): Promise<ContractHost> {
    // The test run says which.
    const unit = process.env.ECHOTOP_TEST_BALANCED as BalancedUnit | undefined;
    return new ContractHost(
      await (unit ? serveBalanced(unit, configuration) : serveDirectory(configuration)),
    );
  }

  stop(): Promise<void> {
    return this.#place.stop();
  }

  async get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
    await this.#place.whenSeen();
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
  damageManifest(revision: RevisionRecord, text: string, keepsHash: boolean): void {
    const bytes = Buffer.from(text);
    const hash = createHash("sha256").update(bytes).digest("hex");
    this.#place.damageManifest(revision, bytes, keepsHash ? hash : undefined);
  }

  frameFile(frameId: string): string {
    return this.#place.frameFile(frameId);
  }

  /** Keeps a text as the source file of a layer; returns its SHA-256. */
  async #keepSource(text: string): Promise<string> {
    const { sources, stagingFolder } = this.#place.stores;
    const path = join(stagingFolder, randomUUID());
    await writeFile(path, text);
    return (await sources.put(path)).sha256;
  }

  async #store(
    eventId: string,
    { productId = "mrms-mesh", minutes, content }: LayerFacts,
  ): Promise<PublishedLayer> {
    const text = content ?? `${eventId} ${productId} ${minutes}`;
    const frameId = await this.#place.stores.frames.put(
      Buffer.from(`\u0089PNG\r\n\u001a\n${text}`, "latin1"),
    );
    return {
      sourceSha256: await this.#keepSource(text),
      productId,
      observedAt: observedAt(minutes),
      frameId,
      bounds: [-99.5, 34, -96, 37.25],
      messageSha256: createHash("sha256").update(text).digest("hex"),
      sourceUrl: "ni:///sha-256;AAAA",
      sourceLastModified: undefined,
    };
  }
}

function observedMs(minutes: number): number {
  return Date.UTC(2024, 4, 20, 21, minutes);
}

export function observedAt(minutes: number): string {
  return new Date(observedMs(minutes)).toISOString();
}
