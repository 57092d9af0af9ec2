// The kept revisions of an event with their layers and frames, as the analyses need them.
import { AppError } from "../../../shared/app-error.ts";
import type { RevisionFacts, LayerFacts } from "../../../shared/analysis/window-layers.ts";
import type { Bounds } from "../../../shared/contract/primitives.ts";
import type { ReadableCatalog, RevisionRecord } from "../../catalog/catalog.ts";

/** A stored frame. */
export interface FrameRef {
  readonly frameId: string;
  /** Outer edges of its picture. */
  readonly bounds: Bounds;
}

export type HistoryLayer = LayerFacts & FrameRef;

export interface HistoryRevision extends RevisionFacts<HistoryLayer> {
  readonly revisionId: string;
  readonly publishedAt: string;
}

export interface EventHistory {
  readonly eventId: string;
  /** 0 before anything is published. */
  readonly latestSequence: number;
  /** In ascending sequence; without those that retention has removed. */
  readonly revisions: readonly HistoryRevision[];
}

type Catalog = Pick<ReadableCatalog, "findEvent" | "findRevisionAfter" | "listLayers">;

/** @throws AppError `not-found` for an unknown event; the signal's reason */
export async function readHistory(
  catalog: Catalog,
  eventId: string,
  signal: AbortSignal,
): Promise<EventHistory> {
  const event = await catalog.findEvent(eventId);
  if (!event) throw new AppError("not-found", `There is no event ${eventId}.`);
  const { latestSequence } = event;
  const revisions: HistoryRevision[] = [];
  for (let after = 0; ;) {
    signal.throwIfAborted();
    const record = await catalog.findRevisionAfter(eventId, after);
    // Later ones were published meanwhile.
    if (!record || record.sequence > latestSequence) break;
    after = record.sequence;
    const layers = await readLayers(catalog, record);
    // Retention may have removed it meanwhile.
    if (layers.length > 0) revisions.push({ ...record, layers });
  }
  return { eventId, latestSequence, revisions };
}

async function readLayers(
  catalog: Catalog,
  { eventId, revisionId }: RevisionRecord,
): Promise<readonly HistoryLayer[]> {
  const layers = await catalog.listLayers(eventId, revisionId);
  return layers.map(({ productId, observedAt, frameId, bounds }) => {
    // Stands for the frame's address. The same picture may lie elsewhere: its bytes do not say its bounds.
    const imageUrl = [frameId, ...bounds].join(" ");
    return { id: productId, observedAt, imageUrl, frameId, bounds };
  });
}
