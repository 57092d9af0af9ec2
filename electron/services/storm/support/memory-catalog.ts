// A catalog and a frame store in memory, for tests of the service only: they return what was put in, also if damaged.
import { createHash } from "node:crypto";
import type { MrmsLayer, MrmsManifest } from "../../../../shared/contract/manifest.ts";
import type { StormRevisionReady } from "../../../../shared/contract/messages.ts";
import type { ProductId } from "../../../../shared/contract/primitives.ts";
import { AppError } from "../../../../shared/app-error.ts";
import type {
  AssetRecord,
  CatalogReader,
  ChangeRecord,
  EventRecord,
  PublishedLayer,
  RevisionRecord,
  StepsRecord,
} from "../../../catalog/catalog.ts";
import type { FrameStore } from "../../../catalog/files/frame-store.ts";
import type { KeptOverlay } from "../../../../shared/contract/overlays.ts";
import type { OverlaysCatalog } from "../resources/overlays-resource.ts";
import type { SourcesCatalog } from "../resources/sources-resource.ts";
import type { StepsCatalog } from "../resources/steps-resource.ts";

export class MemoryCatalog implements CatalogReader, StepsCatalog, SourcesCatalog, OverlaysCatalog {
  readonly #layers = new Map<string, readonly PublishedLayer[]>();
  readonly #steps = new Map<string, StepsRecord>();
  readonly #overlays = new Map<string, { readonly overlay: KeptOverlay; readonly bytes: Uint8Array }[]>();
  readonly #events = new Map<string, EventRecord>();
  readonly #revisions = new Map<string, RevisionRecord[]>();
  readonly #frames = new Set<string>();
  readonly #listeners = new Set<() => void>();
  readonly #reads = new Map<string, unknown>();
  #assets: readonly AssetRecord[] = [];
  #version = 0;
  /** Called before each notice read: a test commits, fails or waits there. */
  beforeNotices: (() => Promise<void> | void) | undefined;

  addEvent(event: Partial<EventRecord> & { id: string }): void {
    this.#events.set(event.id, { ...blankEvent, ...event });
    this.#commit();
  }

  setLayers(eventId: string, revisionId: string, layers: readonly PublishedLayer[]): void {
    this.#layers.set(`${eventId} ${revisionId}`, layers);
  }

  setSteps(steps: StepsRecord): void {
    this.#steps.set(steps.eventId, steps);
  }

  addOverlay(eventId: string, overlay: KeptOverlay, bytes: Uint8Array): void {
    this.#overlays.set(eventId, [...(this.#overlays.get(eventId) ?? []), { overlay, bytes }]);
  }

  setAssets(assets: readonly AssetRecord[]): void {
    this.#assets = assets;
    this.#commit();
  }

  addFrame(eventId: string, productId: ProductId, frameId: string): void {
    this.#frames.add(`${eventId} ${productId} ${frameId}`);
    this.#commit();
  }

  /** Publishes the next revision. `bytes` replaces those of its manifest, `sha256` their recorded hash. */
  publish(
    eventId: string,
    change: { bytes?: Uint8Array; sha256?: string; observedAt?: string } = {},
  ): RevisionRecord {
    const earlier = this.#revisions.get(eventId) ?? [];
    const sequence = (this.#events.get(eventId)?.latestSequence ?? 0) + 1;
    const observedAt = change.observedAt ?? new Date(Date.UTC(2026, 4, 20, 21, 2 * sequence)).toISOString();
    const revisionId = `R${sequence}`;
    const manifest =
      change.bytes ?? Buffer.from(JSON.stringify(toManifest(eventId, revisionId, sequence, observedAt)));
    const revision: RevisionRecord = {
      eventId,
      revisionId,
      sequence,
      observedAt,
      publishedAt: observedAt,
      manifest,
      manifestSha256: change.sha256 ?? createHash("sha256").update(manifest).digest("hex"),
    };
    this.#revisions.set(eventId, [...earlier, revision]);
    const event = this.#events.get(eventId) ?? { ...blankEvent, id: eventId };
    this.#events.set(eventId, { ...event, currentRevisionId: revisionId, latestSequence: sequence });
    this.#commit();
    return revision;
  }

  /** Withdraws the newest revision, as a repair does; its sequence stays used. */
  withdrawNewest(eventId: string): void {
    const rest = (this.#revisions.get(eventId) ?? []).slice(0, -1);
    this.#revisions.set(eventId, rest);
    const event = this.#events.get(eventId) ?? { ...blankEvent, id: eventId };
    this.#events.set(eventId, { ...event, currentRevisionId: rest.at(-1)?.revisionId ?? null });
    this.#commit();
  }

  listKeptOverlays(eventId: string): Promise<readonly KeptOverlay[]> {
    return Promise.resolve((this.#overlays.get(eventId) ?? []).map(({ overlay }) => overlay));
  }

  readKeptOverlay(eventId: string, sha256: string): Promise<Uint8Array | undefined> {
    const found = this.#overlays.get(eventId)?.find(({ overlay }) => overlay.sha256 === sha256);
    return Promise.resolve(found?.bytes);
  }

  findSteps(eventId: string): Promise<StepsRecord | undefined> {
    return Promise.resolve(this.#steps.get(eventId));
  }

  listLayers(eventId: string, revisionId: string): Promise<readonly PublishedLayer[]> {
    return Promise.resolve(this.#layers.get(`${eventId} ${revisionId}`) ?? []);
  }

  listAssets(eventId: string): Promise<readonly AssetRecord[]> {
    return Promise.resolve(this.#assets.filter((asset) => asset.eventId === eventId));
  }

  listEvents(limit: number): Promise<readonly EventRecord[]> {
    return this.#read(`events ${limit}`, () => [...this.#events.values()].slice(0, limit));
  }

  findEvent(eventId: string): Promise<EventRecord | undefined> {
    return this.#read(`event ${eventId}`, () => this.#events.get(eventId));
  }

  listRevisions(eventId: string, limit: number): Promise<readonly RevisionRecord[]> {
    return this.#read(`revisions ${eventId} ${limit}`, () =>
      (this.#revisions.get(eventId) ?? []).slice(-limit),
    );
  }

  listChanges(eventId: string, limit: number, before = Infinity): Promise<readonly ChangeRecord[]> {
    return this.#read(`changes ${eventId} ${limit} ${before}`, () =>
      (this.#revisions.get(eventId) ?? [])
        .filter(({ sequence }) => sequence < before)
        .slice(-limit)
        .map((revision) => ({ revision, change: "first" })),
    );
  }

  findRevision(eventId: string, revisionId: string): Promise<RevisionRecord | undefined> {
    return this.#read(`revision ${eventId} ${revisionId}`, () =>
      this.#revisions.get(eventId)?.find((revision) => revision.revisionId === revisionId),
    );
  }

  findLatestRevision(eventId: string): Promise<RevisionRecord | undefined> {
    return this.#read(`latest ${eventId}`, () => this.#revisions.get(eventId)?.at(-1));
  }

  hasFrame(eventId: string, productId: ProductId, frameId: string): Promise<boolean> {
    return Promise.resolve(this.#frames.has(`${eventId} ${productId} ${frameId}`));
  }

  async listNotices(eventId: string, after: number, limit: number): Promise<readonly StormRevisionReady[]> {
    await this.beforeNotices?.();
    const revisions = this.#revisions.get(eventId) ?? [];
    return revisions
      .filter(({ sequence }) => sequence > after)
      .slice(-limit)
      .map(toNotice);
  }

  listNewestAssets(): Promise<readonly AssetRecord[]> {
    return Promise.resolve(this.#assets);
  }

  readVersion(): Promise<number> {
    return Promise.resolve(this.#version);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  /** Returns the same object for the same read between commits, as the interface promises. */
  #read<T>(key: string, read: () => T): Promise<T> {
    if (!this.#reads.has(key)) this.#reads.set(key, read());
    return Promise.resolve(this.#reads.get(key) as T);
  }

  #commit(): void {
    this.#version += 1;
    this.#reads.clear();
    for (const listener of this.#listeners) listener();
  }
}

export class MemoryFrames implements FrameStore {
  readonly #frames = new Map<string, Uint8Array | "damaged">();
  readCount = 0;

  put(png: Uint8Array): Promise<string> {
    const frameId = createHash("sha256").update(png).digest("hex");
    this.#frames.set(frameId, png);
    return Promise.resolve(frameId);
  }

  damage(frameId: string): void {
    this.#frames.set(frameId, "damaged");
  }

  read(frameId: string): Promise<Uint8Array | undefined> {
    this.readCount += 1;
    const frame = this.#frames.get(frameId);
    if (frame !== "damaged") return Promise.resolve(frame);
    return Promise.reject(new AppError("stored-data-invalid", "The stored frame does not match its id."));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const blankEvent: EventRecord = {
  id: "",
  kind: "historical-event",
  label: "A storm",
  status: "complete",
  retentionClass: "benchmark",
  startedAt: "2026-05-20T21:00:00Z",
  endedAt: "2026-05-20T22:00:00Z",
  bounds: [-98, 34, -96, 36],
  currentRevisionId: null,
  updatedAt: "2026-05-20T22:00:00Z",
  origin: "observed",
  latestSequence: 0,
  isRegistered: false,
  registeredWindow: undefined,
  mirrorOf: undefined,
  replayOf: undefined,
};

export function toManifest(
  eventId: string,
  revisionId: string,
  sequence: number,
  observedAt: string,
): MrmsManifest {
  const layer: MrmsLayer = {
    bounds: [-98, 34, -96, 36],
    caveat: "An estimate.",
    description: "Hail size.",
    id: "mrms-mesh",
    imageUrl: `/v1/storm-events/${eventId}/frames/mrms-mesh/abc.png`,
    label: "Hail size",
    legend: [{ color: "#ffffff", label: "1 in" }],
    observedAt,
    opacity: 0.8,
    sourceUrl: "ni:///sha-256;abc",
    unit: "mm",
    visible: true,
  };
  return {
    schemaVersion: 1,
    mode: "live",
    attribution: "Somebody",
    disclosure: "Made for a test.",
    eventId,
    revisionId,
    sequence,
    generatedAt: observedAt,
    layers: [layer],
  };
}

export function toNotice(revision: RevisionRecord): StormRevisionReady {
  return {
    type: "storm.revision.ready",
    schemaVersion: 1,
    eventId: revision.eventId,
    revisionId: revision.revisionId,
    sequence: revision.sequence,
    observedAt: revision.observedAt,
    publishedAt: revision.publishedAt,
    bounds: [-98, 34, -96, 36],
    manifestUrl: `/v1/storm-events/${revision.eventId}/revisions/${revision.revisionId}/manifest`,
  };
}
