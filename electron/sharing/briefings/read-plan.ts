// Reads the subject of a briefing from the catalog: the event, and the layers and the kind of each chosen revision.
import { AppError } from "../../../shared/app-error.ts";
import { MrmsManifest, type MrmsLayer } from "../../../shared/contract/manifest.ts";
import type { Bounds } from "../../../shared/contract/primitives.ts";
import { unionBounds } from "../../../shared/geo/bounds.ts";
import { toPublications, type PublicationKind } from "../../../shared/revisions/publication.ts";
import type { EventRecord, RevisionRecord } from "../../catalog/catalog.ts";
import {
  defaultRevisions,
  mostRevisions,
  mostRevisionsLookedBack,
  mostSequencesNamed,
} from "./briefing-limits.ts";
import type { BriefingRequest, BriefingSources } from "./briefing.ts";
import { readTitles, type StepTitle } from "./step-titles.ts";

export interface PlannedLayer {
  readonly layer: MrmsLayer;
  readonly frameId: string;
  readonly bounds: Bounds;
}

export interface PlannedRevision {
  readonly revisionId: string;
  readonly sequence: number;
  readonly observedAt: string;
  readonly publishedAt: string;
  readonly kind: PublicationKind;
  /** The earlier and the later revision of the same time. */
  readonly supersedes: number | undefined;
  readonly supersededBy: number | undefined;
  readonly attribution: string;
  readonly disclosure: string;
  /** In drawing order, lowest first. */
  readonly layers: readonly PlannedLayer[];
  /** Titles of the steps that show it, in the order of the talk. */
  readonly titles: readonly StepTitle[];
}

export interface BriefingPlan {
  readonly event: EventRecord;
  /** Area that every still shows. */
  readonly bounds: Bounds;
  /** Ascending, at least one. */
  readonly revisions: readonly PlannedRevision[];
  /** All revisions around the chosen ones, ascending. */
  readonly history: readonly Pick<RevisionRecord, "sequence" | "observedAt">[];
}

type Catalog = BriefingSources["catalog"];
type Choice = Pick<BriefingRequest, "eventId" | "sequences" | "newest">;

/**
 * @throws AppError `not-found` for an unknown event or sequences; `conflict` for an event without data;
 * `invalid-input` for too many revisions; `stored-data-invalid` for a damaged manifest
 */
export async function readPlan(
  catalog: Catalog,
  choice: Choice,
  signal: AbortSignal | undefined,
): Promise<BriefingPlan> {
  const { eventId } = choice;
  const event = await catalog.findEvent(eventId);
  if (!event) throw new AppError("not-found", `There is no event ${eventId}.`);
  if (event.latestSequence === 0) {
    throw new AppError("conflict", `The event ${eventId} has no data yet, so there is nothing to draw.`);
  }
  const history = await readHistory(catalog, event, toFirst(choice, event), signal);
  const chosen = choose(history, choice);
  const titlesOf = await readTitles(catalog, eventId);
  const revisions: PlannedRevision[] = [];
  for (const index of chosen) {
    const revision = await planRevision(catalog, event, history, index);
    revisions.push({ ...revision, titles: titlesOf(revision) });
  }
  const layers = revisions.flatMap((revision) => revision.layers);
  const bounds = layers.reduce<Bounds>(
    (sum, layer) => unionBounds(sum, layer.bounds),
    event.bounds ?? layers[0]!.bounds,
  );
  return { event, bounds, revisions, history: history.entries };
}

type HistoryEntry = Parameters<typeof toPublications>[0][number] & { readonly sequence: number };

interface History {
  readonly entries: readonly HistoryEntry[];
  readonly publications: ReturnType<typeof toPublications>;
}

/** The lowest sequence that may be chosen. */
function toFirst({ sequences, newest = defaultRevisions }: Choice, { latestSequence }: EventRecord): number {
  return sequences ? Math.min(...sequences) : Math.max(1, latestSequence - newest + 1);
}

async function readHistory(
  catalog: Catalog,
  event: EventRecord,
  first: number,
  signal: AbortSignal | undefined,
): Promise<History> {
  const entries: HistoryEntry[] = [];
  for (let after = Math.max(0, first - 1 - mostRevisionsLookedBack); ;) {
    signal?.throwIfAborted();
    const record = await catalog.findRevisionAfter(event.id, after);
    // Revisions published in the meantime belong to the next publication.
    if (!record || record.sequence > event.latestSequence) break;
    const { observedAt, sequence } = record;
    // Legends are most of a manifest and always the same: a long history does without them.
    const layers = parseManifest(record).layers.map((layer) => ({ ...layer, legend: [] }));
    entries.push({ observedAt, sequence, layers });
    after = sequence;
  }
  return { entries, publications: toPublications(entries) };
}

function parseManifest({ manifest, eventId, revisionId }: RevisionRecord): MrmsManifest {
  try {
    return MrmsManifest.parse(JSON.parse(Buffer.from(manifest).toString("utf8")));
  } catch (cause) {
    throw new AppError("stored-data-invalid", `The manifest of revision ${revisionId} is damaged.`, {
      cause,
      context: { eventId, revisionId },
    });
  }
}

/** Returns indices into the history, ascending. */
function choose({ entries }: History, { eventId, sequences, newest = defaultRevisions }: Choice): number[] {
  const all = entries.map((_, index) => index);
  if (sequences) {
    const wanted = new Set(sequences);
    const chosen = all.filter((index) => wanted.delete(entries[index]!.sequence));
    if (wanted.size > 0) {
      const named = [...wanted].sort((a, b) => a - b);
      const words = named.length === 1 ? "revision" : "revisions";
      throw new AppError("not-found", `The event ${eventId} has no ${words} ${toList(named)}.`);
    }
    return checkCount(chosen);
  }
  return checkCount(newest === Infinity ? all : all.slice(-newest));
}

function checkCount(chosen: number[]): number[] {
  if (chosen.length <= mostRevisions) return chosen;
  throw new AppError(
    "invalid-input",
    `${chosen.length} revisions are too many: at most ${mostRevisions} can be drawn at once. Choose some of them.`,
  );
}

function toList(sequences: readonly number[]): string {
  const named = sequences.slice(0, mostSequencesNamed).join(", ");
  return sequences.length > mostSequencesNamed
    ? `${named} and ${sequences.length - mostSequencesNamed} more`
    : named;
}

async function planRevision(
  catalog: Catalog,
  event: EventRecord,
  { entries, publications }: History,
  index: number,
): Promise<Omit<PlannedRevision, "titles">> {
  const { sequence } = entries[index]!;
  const record = await catalog.findRevisionAfter(event.id, sequence - 1);
  if (record?.sequence !== sequence) {
    throw new AppError("not-found", `Revision ${sequence} of ${event.id} was just deleted; publish again.`);
  }
  const manifest = parseManifest(record);
  const { kind, supersedes } = publications[index]!;
  const follower = publications.findIndex((publication) => publication.supersedes === index);
  const published = await catalog.listLayers(record.eventId, record.revisionId);
  return {
    revisionId: record.revisionId,
    sequence: record.sequence,
    observedAt: record.observedAt,
    publishedAt: record.publishedAt,
    kind,
    supersedes: supersedes === undefined ? undefined : entries[supersedes]?.sequence,
    supersededBy: entries[follower]?.sequence,
    attribution: manifest.attribution,
    disclosure: manifest.disclosure,
    layers: manifest.layers.map((layer) => {
      const found = published.find(({ productId }) => productId === layer.id);
      if (found) return { layer, frameId: found.frameId, bounds: found.bounds };
      throw new AppError("stored-data-invalid", `A layer of revision ${record.revisionId} is missing.`);
    }),
  };
}
