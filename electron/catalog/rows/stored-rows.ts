// Interface of the rows as an engine stores them, for copies and verifications: nothing is decided, cached or left out.
import { AppError } from "../../../shared/app-error.ts";
import type { EventState } from "../plans/event-state.ts";
import type { PlannedRevision } from "../plans/next-revision.ts";
import type {
  AssetRow,
  EventRow,
  ExtentRow,
  LayerRow,
  OverlayRow,
  RevisionRow,
  StepsRow,
} from "./catalog-rows.ts";
import type { FeedLogRow } from "./log-rows.ts";

export interface CatalogCounts {
  readonly events: number;
  readonly revisions: number;
}

/** Summary of an event's revisions, also of the withdrawn ones, to compare with its row. */
export interface EventSummaryRow extends ExtentRow {
  readonly count: number;
  readonly last: number | null;
  readonly newest_id: string | null;
  readonly published_at: number | null;
  /** Number of withdrawn revisions. */
  readonly withdrawn: number;
  readonly last_withdrawn: number | null;
}

/** A revision with its layers by product. */
export interface StoredRevision {
  readonly row: RevisionRow;
  readonly layers: readonly LayerRow[];
}

/** A revision that a repair took back; its sequence stays used. */
export interface WithdrawnRow {
  readonly event_id: string;
  readonly sequence: number;
  readonly revision_id: string;
  readonly withdrawn_at: number;
  readonly reason: string;
}

/** Rises with each discovery, also of a known asset. */
export interface DiscoveredAsset extends AssetRow {
  readonly discovery: number;
}

/** Each call sees one committed state. */
export interface StoredRows {
  countRows(): Promise<CatalogCounts>;
  /** Lists all events by id. */
  listEvents(): Promise<readonly EventRow[]>;
  /** Returns an event and the summary of its revisions; undefined for an unknown event. */
  summarize(
    eventId: string,
  ): Promise<{ readonly row: EventRow; readonly summary: EventSummaryRow } | undefined>;
  /** Lists the first `limit` revisions after a sequence, ascending. */
  listRevisions(eventId: string, afterSequence: number, limit: number): Promise<readonly StoredRevision[]>;
  /** Lists the withdrawn revisions of an event by sequence. */
  listWithdrawn(eventId: string): Promise<readonly WithdrawnRow[]>;
  /** Lists the first `limit` assets after a discovery, in the order of discovery. */
  listAssets(afterDiscovery: number, limit: number): Promise<readonly DiscoveredAsset[]>;
  /** Lists the first `limit` entries of the log after an id, ascending. */
  listLog(afterId: number, limit: number): Promise<readonly FeedLogRow[]>;
  findNewestLogEntry(): Promise<FeedLogRow | undefined>;
  /** Returns the steps of an event's briefing. */
  findSteps(eventId: string): Promise<StepsRow | undefined>;
  /** Lists the overlays kept with an event by name. */
  listOverlays(eventId: string): Promise<readonly OverlayRow[]>;
}

/** New state of an event, with the revisions that lead to it. */
export interface EventChange {
  /** State that the event must have; undefined if it must not exist. */
  readonly before: EventState | undefined;
  readonly after: EventState;
  /** Revisions after those that are there. Their frames are stored. */
  readonly revisions: readonly PlannedRevision[];
  readonly withdrawn: readonly WithdrawnRow[];
}

/** Each call is one durable transaction. */
export interface RowWriter {
  /**
   * Throws `conflict` if the event is not in the state before, and `frame-missing` if a frame is not stored: store it
   * and write again.
   */
  writeEvent(change: EventChange): Promise<void>;
  /** Inserts or replaces assets by event and locator, in this order of discovery. Returns the number that changed. */
  writeAssets(assets: readonly DiscoveredAsset[]): Promise<number>;
  /** Appends entries with their ids, and removes the oldest ones beyond `feedLogLimit`. */
  writeLog(entries: readonly FeedLogRow[]): Promise<void>;
  /** Inserts or replaces the steps of an event that is there. */
  writeSteps(row: StepsRow): Promise<void>;
  /** Inserts or replaces an overlay of an event that is there. */
  writeOverlay(row: OverlayRow): Promise<void>;
}

export function eventChanged(eventId: string): AppError {
  return new AppError(
    "conflict",
    `The event ${eventId} was changed in the target meanwhile: run the command again when nothing else writes there.`,
  );
}
