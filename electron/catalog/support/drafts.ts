// Drafts of publications and temporary directories for the catalog's tests.
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Bounds, ProductId } from "../../../shared/contract/primitives.ts";
import type { AssetDraft, Catalog, OverlayDraft, PublishDraft, PublishedLayer } from "../catalog.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { pictureOf } from "./pictures.ts";
import { dataDirectory } from "../files/data-directory.ts";
import { openCatalog } from "../sqlite/open-catalog.ts";
import { createStoredFiles, type StoredFiles } from "../files/stored-files.ts";

export const startMs = Date.UTC(2024, 4, 1, 20, 0, 0);

/** Returns the instant this many seconds after `2024-05-01T20:00:00Z`. */
export function observedAfter(seconds: number): string {
  return new Date(startMs + seconds * 1000).toISOString().replace(".000Z", "Z");
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Frames of all layers that `layerOf` made, by id. */
const pictures = new Map<string, Uint8Array>();

/** Returns the frame of a layer from `layerOf`. */
export function findPicture(frameId: string): Uint8Array | undefined {
  return pictures.get(frameId);
}

/** Returns the draft of an overlay; `seconds` is the time of its fetch. */
export function overlayDraftOf(
  eventId: string,
  { name = "iem-warnings", text = '{"type":"FeatureCollection","features":[]}', seconds = 0 } = {},
): OverlayDraft {
  const facts = {
    ...{ name, title: `Overlay ${name}`, preset: null, nature: "official" as const },
    ...{ source: "https://example.org/warnings", fetchedAt: observedAfter(seconds) },
    ...{ from: observedAfter(0), to: observedAfter(600) },
  };
  return { eventId, facts, bytes: Buffer.from(text) };
}

export interface LayerFacts {
  readonly productId?: ProductId;
  readonly seconds?: number;
  readonly bounds?: Bounds;
  /** Stands for the content of the GRIB2 message. */
  readonly message?: string;
}

export function layerOf({
  productId = "mrms-mesh",
  seconds = 0,
  bounds = [-100, 30, -90, 40],
  message = `${productId} ${seconds}`,
}: LayerFacts = {}): PublishedLayer {
  const messageSha256 = hashOf(message);
  const picture = pictureOf(Number.parseInt(messageSha256.slice(0, 6), 16));
  const frameId = sha256Of(picture);
  pictures.set(frameId, picture);
  return {
    productId,
    observedAt: observedAfter(seconds),
    frameId,
    bounds,
    messageSha256,
    sourceUrl: "ni:///sha-256;AAAA",
    sourceLastModified: undefined,
  };
}

export function draftOf(eventId: string, ...layers: LayerFacts[]): PublishDraft {
  return { event: { id: eventId }, layers: layers.map(layerOf), assetIds: [] };
}

export function assetOf(eventId: string, locator: string, facts: Partial<AssetDraft> = {}): AssetDraft {
  return {
    eventId,
    locator,
    productId: "mrms-mesh",
    observedAt: undefined,
    byteLength: undefined,
    sha256: undefined,
    lastModifiedAt: undefined,
    ...facts,
  };
}

/** Creates a directory for the running test, removed with it. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "echotop-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

export interface TestCatalog {
  readonly catalog: Catalog;
  readonly directory: string;
  readonly clock: { nowMs: number };
}

/** Files of a directory where every frame counts as stored, for tests of rows only. */
export function assumedFiles(directory: string): StoredFiles {
  return { ...createStoredFiles(dataDirectory(directory)), hasFrame: () => Promise.resolve(true) };
}

/** Opens a catalog with an adjustable clock, which treats every frame as stored; closed with the test. */
export async function openTestCatalog(
  directory?: string,
  filesOf: (directory: string) => StoredFiles = assumedFiles,
): Promise<TestCatalog> {
  const clock = { nowMs: startMs + 3_600_000 };
  const root = directory ?? (await temporaryDirectory());
  const files = filesOf(root);
  const catalog = await openCatalog({ directory: root, now: () => new Date(clock.nowMs), files });
  onTestFinished(() => catalog.close());
  return { catalog, directory: root, clock };
}

export function manifestOf(revision: { manifest: Uint8Array } | undefined): unknown {
  return revision && JSON.parse(Buffer.from(revision.manifest).toString("utf8"));
}
