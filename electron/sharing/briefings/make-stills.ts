// Makes the stills of a briefing in a staging folder. Keeps a published still whose inputs have not changed.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import { defaultPalette } from "../../../shared/products/palettes.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import type { BriefingSources } from "./briefing.ts";
import { toLegend } from "../stills/still-legend.ts";
import { mostStillsAtOnce } from "./briefing-limits.ts";
import { sha256Of, type BriefingManifest, type OwnFile } from "./briefing-manifest.ts";
import { wordsOf } from "./product-words.ts";
import type { BriefingPlan, PlannedLayer, PlannedRevision } from "./read-plan.ts";
import type { StillComposer, StillRequest } from "./stills/compose-still.ts";
import { describeChange, natureMarks } from "./briefing-words.ts";
import { findFile, withStorageErrors } from "./folder-access.ts";

export interface StillsRequest {
  readonly plan: BriefingPlan;
  readonly composer: StillComposer;
  /** `BriefingMap.sha256` */
  readonly mapSha256: string;
  /** The event's folder with the stills of an earlier publication, and its manifest. */
  readonly folder: string;
  readonly before: BriefingManifest | undefined;
  /** Folder for new stills. */
  readonly staging: string;
}

/** Raised when stills of the same inputs look different. */
const stillVersion = 4;

/** Returns stills in the order of revisions and layers. */
export async function makeStills(
  { plan, composer, mapSha256, folder, before, staging }: StillsRequest,
  { frames, signal, onProgress }: Pick<BriefingSources, "frames" | "signal" | "onProgress">,
): Promise<OwnFile[]> {
  const work = plan.revisions.flatMap((revision) =>
    revision.layers.map((planned) => ({ revision, planned })),
  );
  const files = new Array<OwnFile>(work.length);
  let next = 0;
  let done = 0;
  const run = async (): Promise<void> => {
    while (next < work.length) {
      const index = next++;
      signal?.throwIfAborted();
      const { revision, planned } = work[index]!;
      const words = toWords(plan, revision, planned);
      const path = `r/${revision.sequence}/${planned.layer.id}.png`;
      const inputs = toInputs(plan, planned, [mapSha256, words]);
      files[index] =
        (await findUnchanged(folder, before, path, inputs)) ??
        (await makeStill({ planned, words, path, inputs, composer, staging }, frames));
      onProgress?.(++done, work.length);
    }
  };
  const workers = Array.from({ length: Math.min(mostStillsAtOnce, work.length) }, run);
  const settled = await Promise.allSettled(workers);
  const failed = settled.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
  return files;
}

function toWords(
  { event }: BriefingPlan,
  revision: PlannedRevision,
  { layer }: PlannedLayer,
): StillRequest["words"] {
  return {
    title: event.label,
    product: layer.label,
    observedAt: layer.observedAt,
    publishedAt: revision.publishedAt,
    sequence: revision.sequence,
    latestSequence: event.latestSequence,
    lateness: toLateness(revision),
    legend: toLegend(layer, getProduct(layer.id)),
    tag: wordsOf(layer.id).tag,
    caveat: layer.caveat,
    attribution: revision.attribution,
    mark: natureMarks[natureOf(event)],
  };
}

/** Returns the most important fact about a still that is shared alone; undefined if it is new. */
export function toLateness({
  kind,
  supersedes,
  supersededBy,
}: Pick<PlannedRevision, "kind" | "supersedes" | "supersededBy">): string | undefined {
  if (supersededBy !== undefined) return `superseded by ${supersededBy}`;
  return kind === "new" ? undefined : describeChange(kind, supersedes).short;
}

function toInputs({ bounds }: BriefingPlan, planned: PlannedLayer, others: unknown): string {
  const { frameId, layer } = planned;
  const inputs = [stillVersion, bounds, frameId, planned.bounds, layer.id, others];
  return sha256Of(JSON.stringify(inputs));
}

async function findUnchanged(
  folder: string,
  before: BriefingManifest | undefined,
  path: string,
  inputs: string,
): Promise<OwnFile | undefined> {
  const known = before?.files.find((file) => file.path === path);
  if (known?.still?.inputs !== inputs) return undefined;
  const bytes = await findFile(join(folder, path));
  return bytes && sha256Of(bytes) === known.sha256 ? known : undefined;
}

interface StillWork {
  readonly planned: PlannedLayer;
  readonly words: StillRequest["words"];
  readonly path: string;
  readonly inputs: string;
  readonly composer: StillComposer;
  readonly staging: string;
}

async function makeStill(
  { planned, words, path, inputs, composer, staging }: StillWork,
  frames: BriefingSources["frames"],
): Promise<OwnFile> {
  const { layer, frameId, bounds } = planned;
  const frame = await frames.read(frameId);
  if (!frame) throw new AppError("frame-missing", `A frame of ${path} is missing.`, { context: { frameId } });
  const { emptiness, toValue } = wordsOf(layer.id);
  const palette = words.legend.isOurs ? defaultPalette : "published";
  const { png, facts } = await composer.compose({
    frame: { png: frame, bounds, product: getProduct(layer.id), palette },
    words,
    emptiness,
    toValue,
  });
  const staged = join(staging, path);
  await withStorageErrors(async () => {
    await mkdir(dirname(staged), { recursive: true });
    await writeFile(staged, png);
  });
  return { path, sha256: sha256Of(png), still: { inputs, facts: facts ?? null } };
}
