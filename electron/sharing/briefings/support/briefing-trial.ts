// A small event in its own data directory, and its briefings: for tests.
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { deflateSync } from "node:zlib";
import { onTestFinished } from "vitest";
import type { Bounds, ProductId } from "../../../../shared/contract/primitives.ts";
import { defaultPalette, stopColors, toRgba } from "../../../../shared/products/palettes.ts";
import { classEdges, stopOfClass } from "../../../../shared/products/product.ts";
import { getProduct } from "../../../../shared/products/registry.ts";
import type { Catalog, EventDraft } from "../../../catalog/catalog.ts";
import { createFrameStore } from "../../../catalog/files/file-frame-store.ts";
import type { FrameStore } from "../../../catalog/files/frame-store.ts";
import { openCatalog } from "../../../catalog/sqlite/open-catalog.ts";
import { encodePng } from "../../../platform/png/write.ts";
import { writeBriefingMap } from "../../../build/briefing-map/write-briefing-map.ts";
import type { BriefingRequest, BriefingResult, BriefingSources } from "../briefing.ts";
import { publishBriefing } from "../publish-briefing.ts";

export const sampleBounds: Bounds = [-98, 35, -97, 36];
export const samplePx = 20;

/** Returns a frame of `samplePx` by `samplePx` pixels, empty except for a block of this value in the middle. */
export function frameOf(productId: ProductId, value: number | undefined): Uint8Array {
  const product = getProduct(productId);
  const edges = classEdges(product);
  const index = value === undefined ? 0 : edges.findLastIndex((edge) => edge <= value) + 1;
  const rows = new Uint8Array(samplePx * samplePx);
  for (let y = 8; y < 12; y++) rows.fill(index, y * samplePx + 8, y * samplePx + 12);
  const colors = stopColors(product, defaultPalette).map(toRgba);
  const palette = stopOfClass(product).flatMap((stop) => colors[stop]!.slice(0, 3));
  // The western half is covered.
  const bits = deflateSync(Uint8Array.of(0b10101010)).toString("base64");
  const coverage = { bounds: sampleBounds, width: 2, height: 4, bits };
  return encodePng({
    widthPx: samplePx,
    heightPx: samplePx,
    bitDepth: 8,
    colorType: "palette",
    palette: Uint8Array.from([0, 0, 0, ...palette]),
    transparency: Uint8Array.of(0),
    rows,
    texts: [
      { keyword: "echotop:classes", text: JSON.stringify({ product: productId, unit: product.unit, edges }) },
      { keyword: "echotop:coverage", text: JSON.stringify(coverage) },
    ],
  });
}

export interface SampleRevision {
  /** Minutes after the first revision. */
  readonly minute: number;
  /** Value by product; undefined draws nothing. */
  readonly values: Partial<Record<ProductId, number | undefined>>;
  /** Used instead of frames made from values. */
  readonly png?: Uint8Array;
}

export interface BriefingTrial {
  readonly catalog: Catalog;
  readonly frames: FrameStore;
  /** Data directory. */
  readonly directory: string;
  /** Folder of briefings. */
  readonly out: string;
  readonly add: (event: EventDraft, revision: SampleRevision) => Promise<void>;
  /** Stores a label that the catalog refuses today: earlier versions stored any. */
  readonly relabel: (eventId: string, label: string) => void;
  readonly publish: (
    request: Partial<BriefingRequest> & { readonly eventId: string },
    sources?: Partial<BriefingSources>,
  ) => Promise<BriefingResult>;
  /** Returns the bytes of all files by path from the folder of briefings. */
  readonly files: () => Record<string, string>;
  readonly close: () => Promise<void>;
}

const startMs = Date.UTC(2024, 4, 20, 22, 0, 40);
let map: Promise<string> | undefined;

/** Returns the path of the real base map, built once per test file. */
export function preparedMap(): Promise<string> {
  map ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), "echotop-briefing-map-"));
    temporary.push(folder);
    const file = join(folder, "map.json");
    await writeBriefingMap(file);
    return file;
  })();
  return map;
}

export interface BriefingTrialOptions {
  /** Folder of a closed trial to copy. */
  readonly from?: string;
  /** True keeps the folders until `removeSharedTrials`; otherwise the trial ends with its test. */
  readonly isShared?: boolean;
}

export async function openBriefingTrial({
  from,
  isShared = false,
}: BriefingTrialOptions = {}): Promise<BriefingTrial> {
  const root = await mkdtemp(join(tmpdir(), "echotop-briefing-"));
  const [directory, out] = [join(root, "data"), join(root, "out")];
  if (from !== undefined) cpSync(from, root, { recursive: true });
  let published = 0;
  const catalog = await openCatalog({
    directory,
    now: () => new Date(startMs + 3_600_000 + published * 1000),
  });
  const frames = createFrameStore({ directory });
  const close = async (): Promise<void> => {
    await frames.close();
    await catalog.close();
  };
  const end = async (): Promise<void> => {
    await close();
    await rm(root, { recursive: true, force: true });
  };
  if (isShared) temporary.push(root);
  else onTestFinished(end);
  const mapFile = await preparedMap();
  return {
    catalog,
    frames,
    directory,
    out,
    async add(event, { minute, values, png }) {
      const observedAt = new Date(startMs + minute * 60_000).toISOString().replace(".000Z", "Z");
      published += 1;
      const layers = await Promise.all(
        Object.entries(values).map(async ([id, value]) => {
          const productId = id as ProductId;
          const frameId = await frames.put(png ?? frameOf(productId, value));
          return {
            productId,
            observedAt,
            frameId,
            bounds: sampleBounds,
            messageSha256: Buffer.from(frameId.slice(0, 28) + String(published).padStart(4, "0")).toString(
              "hex",
            ),
            sourceUrl: "ni:///sha-256;AAAA",
            sourceLastModified: undefined,
          };
        }),
      );
      await catalog.publish({ event, layers, assetIds: [] });
    },
    relabel(eventId, label) {
      const database = new DatabaseSync(join(directory, "catalog.sqlite"));
      database.prepare("UPDATE events SET label = ? WHERE id = ?").run(label, eventId);
      database.exec("UPDATE catalog_state SET content_version = content_version + 1");
      database.close();
    },
    publish: (request, sources) =>
      publishBriefing({ directory: out, ...request }, { catalog, frames, mapFile, ...sources }),
    files: () => readFiles(out),
    close,
  };
}

export const stormyEvent = { id: "plains", label: "Plains hail" };
let stormy: Promise<string> | undefined;

/** Opens a trial of two revisions, a correction of the first, and an empty one with hail only, all published. */
export async function openStormyTrial(): Promise<BriefingTrial> {
  return openBriefingTrial({ from: await prepareStormyTrial() });
}

/** Publishes once per test file, because drawing is slow; each test gets a copy. Returns its folder. */
export function prepareStormyTrial(): Promise<string> {
  stormy ??= makeStormy();
  return stormy;
}

async function makeStormy(): Promise<string> {
  const trial = await openBriefingTrial({ isShared: true });
  await trial.add(stormyEvent, { minute: 0, values: { "mrms-reflectivity": 62, "mrms-mesh": 30 } });
  await trial.add(stormyEvent, { minute: 2, values: { "mrms-reflectivity": 50, "mrms-mesh": 55 } });
  await trial.add(stormyEvent, { minute: 0, values: { "mrms-reflectivity": 47 } });
  await trial.add(stormyEvent, { minute: 4, values: { "mrms-mesh": undefined } });
  await trial.publish({ eventId: stormyEvent.id });
  await trial.close();
  return dirname(trial.out);
}

const temporary: string[] = [];

/** Removes what the trials of a test file share. Call it at the end: the next file may run in the same process. */
export async function removeSharedTrials(): Promise<void> {
  map = undefined;
  stormy = undefined;
  for (const path of temporary.splice(0)) await rm(path, { recursive: true, force: true });
}

function readFiles(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path).toString("latin1")] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
