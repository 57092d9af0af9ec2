// Plans a replay before it changes anything: which revisions are left, and if they may be replayed.
import { AppError } from "../../../shared/app-error.ts";
import { eventIdPattern } from "../../../shared/contract/identifiers.ts";
import { fastestReplay, isReplaySpeed, slowestReplay } from "../../../shared/revisions/replay-speed.ts";
import type { EventRecord, ReadableCatalog } from "../../catalog/catalog.ts";

export interface ReplayPlan {
  /** Sequence of the source just before the first revision left; `last` if none is left. */
  readonly after: number;
  /** Sequence of the source after which the replay ends. */
  readonly last: number;
  /** Time from the publication of the first revision left to that of the last; 0 if at most one is left. */
  readonly spanMs: number;
  /** Newest sequence of the replay; 0 if nothing is published. */
  readonly publishedAs: number;
}

export interface PlanOptions {
  readonly catalog: Pick<ReadableCatalog, "findEvent" | "findLatestRevision" | "findRevisionAfter">;
  /** Event to replay. It may be archived, mirrored, or a replay itself. */
  readonly from: string;
  /** Event that the replay becomes; an earlier replay of the same event continues where it ended. */
  readonly as: string;
  /** Source time per real time. */
  readonly speed: number;
  /** Longest wait between two revisions, in real time; default no limit. */
  readonly longestWaitMs?: number | undefined;
}

/** @throws AppError as `startReplay` does */
export async function planReplay(options: PlanOptions): Promise<ReplayPlan> {
  const { catalog, from, as, speed, longestWaitMs } = options;
  if (!eventIdPattern.test(as)) throw new AppError("invalid-input", `"${as}" is not an event id.`);
  if (as === from) throw new AppError("invalid-input", "A replay needs another event id than its source.");
  requireSpeed(speed);
  if (longestWaitMs !== undefined && !(longestWaitMs >= 0)) {
    throw new AppError("invalid-input", "The longest wait of a replay cannot be negative.");
  }
  const source = await catalog.findEvent(from);
  if (!source) throw new AppError("not-found", `There is no event ${from}.`);
  const target = await catalog.findEvent(as);
  if (target) requireReplayOf(target, from);
  const newest = await catalog.findLatestRevision(from);
  if (!newest) throw new AppError("not-found", `The event ${from} has no revisions to replay.`);
  const next = await catalog.findRevisionAfter(from, target?.replayOf?.sequence ?? 0);
  return {
    after: next ? next.sequence - 1 : newest.sequence,
    last: newest.sequence,
    spanMs: next ? Math.max(Date.parse(newest.publishedAt) - Date.parse(next.publishedAt), 0) : 0,
    publishedAs: target?.latestSequence ?? 0,
  };
}

/** @throws AppError `invalid-input` */
export function requireSpeed(speed: number): void {
  if (isReplaySpeed(speed)) return;
  const range = `from ${slowestReplay} to ${fastestReplay} times that of publication`;
  throw new AppError("invalid-input", `The speed of a replay is ${range}, not ${speed}.`);
}

/** @throws AppError `conflict` */
function requireReplayOf({ id, status, replayOf }: EventRecord, from: string): void {
  if (replayOf?.eventId !== from) {
    const what = replayOf
      ? `is a replay of ${replayOf.eventId}, not of ${from}`
      : "exists and is not a replay";
    throw new AppError("conflict", `The event ${id} ${what}; choose another id.`);
  }
  if (status === "archived") {
    throw new AppError("conflict", `The event ${id} is archived and cannot change.`);
  }
}
