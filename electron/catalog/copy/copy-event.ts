// Copies the revisions of an event that the target lacks, in batches: first the bytes, then the rows in one
// transaction. After each batch the target shows the event as it was after one of its revisions.
import { isDeepStrictEqual } from "node:util";
import { unionBounds } from "../../../shared/geo/bounds.ts";
import type { EventState } from "../plans/event-state.ts";
import type { PlannedRevision } from "../plans/next-revision.ts";
import type { WithdrawnRow } from "../rows/stored-rows.ts";
import { publishAgainWhileFramesVanish } from "../stores/frame-vanished.ts";
import type { ComparedEvent, KeptExtent } from "./compare-places.ts";
import { copyBytes, type CopiedBytes, type CopyBytesOptions, type RevisionFault } from "./copy-bytes.ts";

/** Revisions of a transaction. */
const revisionsAtOnce = 50;

export interface EventCopy extends CopiedBytes {
  revisions: number;
  /** True if the target was changed. */
  isChanged: boolean;
  /** Set if the source is damaged; the copy of the event ends before this revision. */
  fault?: RevisionFault;
}

export interface CopyEventOptions extends CopyBytesOptions {
  /** Called with the number of copied revisions after each transaction. */
  readonly onRevisions: (count: number) => void;
}

/** @throws AppError of the stores; `conflict` if something else writes the event in the target; the signal's reason */
export async function copyEvent(
  { source, target, kept }: ComparedEvent,
  options: CopyEventOptions,
): Promise<EventCopy> {
  const { from, to, signal, onRevisions } = options;
  const copy: EventCopy = { revisions: 0, frames: 0, sources: 0, byteLength: 0, isChanged: false };
  const withdrawn = await from.rows.listWithdrawn(source.id);
  let reached = target;
  const write = async (after: EventState, revisions: readonly PlannedRevision[]): Promise<void> => {
    await to.writer.writeEvent({
      ...{ before: reached, after, revisions },
      withdrawn: upTo(withdrawn, after.lastSequence),
    });
    reached = after;
    copy.isChanged = true;
  };
  const whole = widen(source, kept);
  for (let after = target?.lastSequence ?? 0; after < source.lastSequence;) {
    signal?.throwIfAborted();
    const page = await from.rows.listRevisions(source.id, after, revisionsAtOnce);
    const wanted = page.filter(({ row }) => row.sequence <= source.lastSequence);
    if (wanted.length === 0) break;
    await publishAgainWhileFramesVanish(async () => {
      const { revisions, fault } = await copyBytes(wanted, copy, options);
      const last = revisions.at(-1);
      if (last) await write(toState(whole, last), revisions);
      copy.revisions += revisions.length;
      onRevisions(revisions.length);
      if (fault) copy.fault = fault;
    });
    if (copy.fault) return copy;
    after = wanted.at(-1)!.row.sequence;
  }
  const end = toEnd(whole, reached, withdrawn);
  if (!isDeepStrictEqual(reached, end)) await write(end, []);
  if (await copySteps(source.id, options)) copy.isChanged = true;
  if (await copyOverlays(source.id, options)) copy.isChanged = true;
  return copy;
}

/** Copies the steps of the event's briefing. Returns true if they were written. */
async function copySteps(eventId: string, { from, to }: CopyEventOptions): Promise<boolean> {
  const steps = await from.rows.findSteps(eventId);
  if (!steps || (await to.rows.findSteps(eventId))?.version === steps.version) return false;
  await to.writer.writeSteps(steps);
  return true;
}

/** Copies the overlays kept with the event. Returns true if any was written. */
async function copyOverlays(eventId: string, { from, to }: CopyEventOptions): Promise<boolean> {
  const present = new Map((await to.rows.listOverlays(eventId)).map((row) => [row.name, row.document]));
  const wanted = await from.rows.listOverlays(eventId);
  const changed = wanted.filter(({ name, document }) => present.get(name) !== document);
  for (const row of changed) await to.writer.writeOverlay(row);
  return changed.length > 0;
}

/** Returns the event as it was after one of its revisions. */
function toState(whole: EventState, { revisionId, sequence }: PlannedRevision): EventState {
  return {
    ...whole,
    currentRevisionId: revisionId,
    lastSequence: sequence,
    prunedSequence: Math.min(whole.prunedSequence, sequence),
  };
}

/** Returns the source's event, with the newest revision that is there: retention may have removed others meanwhile. */
function toEnd(
  whole: EventState,
  reached: EventState | undefined,
  withdrawn: readonly WithdrawnRow[],
): EventState {
  const used = [
    reached?.lastSequence ?? 0,
    whole.prunedSequence,
    ...withdrawn.map(({ sequence }) => sequence),
  ];
  return {
    ...whole,
    currentRevisionId: reached?.currentRevisionId ?? null,
    lastSequence: whole.kind === "operational-feed" ? Math.max(...used) : whole.lastSequence,
  };
}

function widen(source: EventState, kept: KeptExtent | undefined): EventState {
  if (!kept) return source;
  return {
    ...source,
    startedAtMs: Math.min(kept.startedAtMs, source.startedAtMs ?? Infinity),
    bounds: source.bounds ? unionBounds(source.bounds, kept.bounds) : kept.bounds,
  };
}

function upTo(withdrawn: readonly WithdrawnRow[], last: number): readonly WithdrawnRow[] {
  return withdrawn.filter(({ sequence }) => sequence <= last);
}
