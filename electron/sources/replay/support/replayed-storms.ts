// A catalog on a virtual clock, with storms to replay.
import { onTestFinished } from "vitest";
import { MrmsManifest } from "../../../../shared/contract/manifest.ts";
import type { Catalog, EventDraft, RevisionRecord } from "../../../catalog/catalog.ts";
import { openCatalog } from "../../../catalog/sqlite/open-catalog.ts";
import {
  assumedFiles,
  layerOf,
  temporaryDirectory,
  type LayerFacts,
} from "../../../catalog/support/drafts.ts";
import { startReplay, type Replay, type ReplayedRevision, type ReplayOptions } from "../start-replay.ts";
import { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";

export interface Stage {
  readonly clock: VirtualClock;
  readonly catalog: Catalog;
  readonly directory: string;
}

export interface StartedReplay extends Replay {
  /** The revisions published so far. */
  readonly lines: readonly ReplayedRevision[];
}

/** Opens a catalog that assumes every frame is stored; it closes with the test. */
export async function openStage(): Promise<Stage> {
  const directory = await temporaryDirectory();
  const clock = createVirtualClock();
  const catalog = await openCatalog({ directory, now: clock.effects.now, files: assumedFiles(directory) });
  onTestFinished(() => catalog.close());
  return { clock, catalog, directory };
}

/** A publication of a storm: seconds after the previous one, and its layers. */
export type Step = readonly [afterSeconds: number, ...layers: LayerFacts[]];

/** Both products, a late correction of the first window, its original again, a backfill. Gaps from none to an hour. */
export const storm: readonly Step[] = [
  [0, { seconds: 39 }, { seconds: 40, productId: "mrms-reflectivity" }],
  [120, { seconds: 159 }],
  [3, { seconds: 160, productId: "mrms-reflectivity" }],
  [0, { seconds: 519 }],
  [3600, { seconds: 39, message: "corrected" }],
  [20, { seconds: 39 }],
  [17, { seconds: 279 }],
];

export async function publishStorm(
  { catalog, clock }: Stage,
  event: EventDraft,
  steps: readonly Step[] = storm,
): Promise<void> {
  for (const [afterSeconds, ...layers] of steps) {
    clock.jump(afterSeconds * 1000);
    const { revision } = await catalog.publish({ event, layers: layers.map(layerOf), assetIds: [] });
    if (!revision) throw new Error("A step of the storm changes nothing.");
  }
}

export async function start(
  { catalog, clock }: Stage,
  options: Omit<ReplayOptions, "catalog" | "effects" | "onRevision">,
): Promise<StartedReplay> {
  const lines: ReplayedRevision[] = [];
  const onRevision = (line: ReplayedRevision): void => {
    lines.push(line);
  };
  const replay = await startReplay({ ...options, catalog, effects: clock.effects, onRevision });
  return { ...replay, lines };
}

/** Runs a replay to its end. */
export async function replayAll(
  stage: Stage,
  options: Omit<ReplayOptions, "catalog" | "effects" | "onRevision">,
): Promise<readonly ReplayedRevision[]> {
  const replay = await start(stage, options);
  await stage.clock.whileAdvancing(replay.done);
  return replay.lines;
}

export function listAll({ catalog }: Stage, eventId: string): Promise<readonly RevisionRecord[]> {
  return catalog.listRevisions(eventId, 100_000);
}

export function manifestOf({ manifest }: RevisionRecord): MrmsManifest {
  return MrmsManifest.parse(JSON.parse(Buffer.from(manifest).toString("utf8")));
}

/** Returns a manifest without what must differ between a revision and its replay. */
export function toComparable(revision: RevisionRecord): unknown {
  const { eventId, revisionId, sequence, generatedAt, disclosure, layers, ...rest } = manifestOf(revision);
  const prefix = `/v1/storm-events/${String(eventId)}/frames/`;
  if ([revisionId, sequence, generatedAt, disclosure].includes(undefined))
    throw new Error("It says too little.");
  return {
    ...rest,
    layers: layers.map((layer) => {
      if (!layer.imageUrl.startsWith(prefix)) throw new Error(`${layer.imageUrl} is of another event.`);
      return { ...layer, imageUrl: layer.imageUrl.slice(prefix.length) };
    }),
  };
}

/** Returns the time between publications, in milliseconds. */
export function gapsMs(revisions: readonly { readonly publishedAt: string }[]): number[] {
  const atMs = revisions.map(({ publishedAt }) => Date.parse(publishedAt));
  return atMs.slice(1).map((ms, index) => ms - atMs[index]!);
}
