// Compares what a target has with the source: it must be an earlier state of it. Changes nothing.
import { isDeepStrictEqual } from "node:util";
import type { Bounds } from "../../../shared/contract/primitives.ts";
import { unionBounds } from "../../../shared/geo/bounds.ts";
import type { EventState } from "../plans/event-state.ts";
import { toBounds, toEventState, type OverlayRow, type StepsRow } from "../rows/catalog-rows.ts";
import type { FeedLogRow } from "../rows/log-rows.ts";
import type { StoredRevision, StoredRows } from "../rows/stored-rows.ts";
import { isSameRevision } from "./stored-revision.ts";

/** Extent of revisions that the target keeps and the source's retention has removed. */
export interface KeptExtent {
  readonly startedAtMs: number;
  readonly bounds: Bounds;
}

export interface ComparedEvent {
  /** State of the source that the copy leads to. */
  readonly source: EventState;
  /** State of the target; undefined if it lacks the event. */
  readonly target: EventState | undefined;
  readonly kept: KeptExtent | undefined;
}

interface OldRevision extends KeptExtent {
  readonly sequence: number;
}

/** A difference that forbids the copy. */
export interface Difference {
  /** Undefined for the log of the feeds. */
  readonly eventId: string | undefined;
  readonly sequence: number | undefined;
  /** One sentence. */
  readonly what: string;
}

const pageSize = 100;

/** Compares an event of the target with the same event of the source. @throws AppError of the stores */
export async function compareEvent(
  { from, to }: { readonly from: StoredRows; readonly to: StoredRows },
  target: EventState,
): Promise<ComparedEvent | Difference> {
  const { id: eventId } = target;
  const compared = await compareRevisions(from, to, target);
  if ("what" in compared) return compared;
  // Read last: retention in the source has removed at least what it counts as pruned.
  const found = await from.summarize(eventId);
  const differ = (what: string, sequence?: number): Difference => ({ eventId, sequence, what });
  if (!found) return differ("The target has this event, and the source does not.");
  const source = toEventState(found.row);
  const what = findConflict(source, target);
  if (what !== undefined) return differ(what);
  if (areStepsAhead(await from.findSteps(eventId), await to.findSteps(eventId))) {
    return differ("The steps of its briefing were changed in the target after they were copied.");
  }
  const ahead = findOverlayAhead(await from.listOverlays(eventId), await to.listOverlays(eventId));
  if (ahead !== undefined) {
    return differ(`The overlay ${ahead} was changed in the target after it was copied.`);
  }
  const withdrawn = (await from.listWithdrawn(eventId)).map(({ sequence }) => sequence);
  const foreign = compared.onlyInTarget.find(
    ({ sequence }) =>
      withdrawn.includes(sequence) || source.kind !== "operational-feed" || sequence > source.prunedSequence,
  );
  if (foreign) {
    const { sequence } = foreign;
    return differ(
      withdrawn.includes(sequence)
        ? "The source has withdrawn this revision, and the target still has it."
        : "The target has this revision, and the source does not.",
      sequence,
    );
  }
  return { source, target, kept: toExtent(compared.onlyInTarget) };
}

async function compareRevisions(
  from: StoredRows,
  to: StoredRows,
  { id: eventId, lastSequence }: EventState,
): Promise<{ readonly onlyInTarget: readonly OldRevision[] } | Difference> {
  const onlyInTarget: OldRevision[] = [];
  for (let after = 0; after < lastSequence;) {
    const wanted = await from.listRevisions(eventId, after, pageSize);
    // Both pages end at the same sequence.
    const end = wanted.length < pageSize ? lastSequence : Math.min(wanted.at(-1)!.row.sequence, lastSequence);
    const bySequence = new Map(
      wanted.filter(({ row }) => row.sequence <= end).map((revision) => [revision.row.sequence, revision]),
    );
    for await (const present of listUpTo(to, { eventId, after, end })) {
      const { sequence } = present.row;
      const same = bySequence.get(sequence);
      bySequence.delete(sequence);
      if (!same) onlyInTarget.push(toOld(present));
      else if (!isSameRevision(same, present)) {
        return { eventId, sequence, what: "The source and the target have different revisions here." };
      }
    }
    const [missing] = bySequence.keys();
    if (missing !== undefined) {
      return { eventId, sequence: missing, what: "The target lacks this revision, but has later ones." };
    }
    after = end;
  }
  return { onlyInTarget };
}

async function* listUpTo(
  rows: StoredRows,
  { eventId, after, end }: { readonly eventId: string; readonly after: number; readonly end: number },
): AsyncGenerator<StoredRevision, void, undefined> {
  for (let last = after; ;) {
    const page = await rows.listRevisions(eventId, last, pageSize);
    yield* page.filter(({ row }) => row.sequence <= end);
    last = page.at(-1)?.row.sequence ?? end;
    if (page.length < pageSize || last >= end) return;
  }
}

/** Returns why the target's event cannot be an earlier state of the source's. */
function findConflict(source: EventState, target: EventState): string | undefined {
  const isMirror = source.mirrorOf !== null;
  const isOther =
    source.origin !== target.origin ||
    (target.mirrorOf !== null) !== isMirror ||
    source.replayOf?.eventId !== target.replayOf?.eventId;
  if (isOther) return "The source and the target have different events under this id.";
  if (target.lastSequence > source.lastSequence) {
    return "The target is ahead of the source: something else published into it.";
  }
  if (target.status === "archived" && source.status !== "archived") {
    return "The event is archived in the target, but not in the source.";
  }
  // A mirrored event's time is that of its remote.
  return !isMirror && target.updatedAtMs > source.updatedAtMs
    ? "The event was changed in the target after it was copied."
    : undefined;
}

function areStepsAhead(source: StepsRow | undefined, target: StepsRow | undefined): boolean {
  if (!target) return false;
  if (!source || target.version > source.version) return true;
  return target.version === source.version && target.document !== source.document;
}

/** Returns the name of an overlay that the target has and the source does not, or only an older one. */
function findOverlayAhead(source: readonly OverlayRow[], target: readonly OverlayRow[]): string | undefined {
  const byName = new Map(source.map((row) => [row.name, row]));
  return target.find((present) => {
    const wanted = byName.get(present.name);
    return !wanted || (wanted.document !== present.document && wanted.fetched_at <= present.fetched_at);
  })?.name;
}

function toOld({ row, layers }: StoredRevision): OldRevision {
  const observed = [row.observed_at, ...layers.map(({ observed_at }) => observed_at)];
  return { sequence: row.sequence, startedAtMs: Math.min(...observed), bounds: toBounds(row) };
}

function toExtent(revisions: readonly OldRevision[]): KeptExtent | undefined {
  return revisions.reduce<KeptExtent | undefined>(
    (extent, { startedAtMs, bounds }) => ({
      startedAtMs: Math.min(extent?.startedAtMs ?? Infinity, startedAtMs),
      bounds: extent ? unionBounds(extent.bounds, bounds) : bounds,
    }),
    undefined,
  );
}

/** Compares the newest entry of the target's log: entries never change, and their ids only rise. */
export async function compareLog(from: StoredRows, to: StoredRows): Promise<Difference | undefined> {
  const newest = await to.findNewestLogEntry();
  if (!newest) return undefined;
  const [same] = await from.listLog(newest.id - 1, 1);
  const isBefore = same !== undefined && same.id > newest.id;
  if (isBefore || (same && isDeepStrictEqual(toPlain(same), toPlain(newest)))) return undefined;
  return {
    eventId: undefined,
    sequence: undefined,
    what: `Entry ${newest.id} of the log of the feeds in the target is not from the source.`,
  };
}

function toPlain(entry: FeedLogRow): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
