// What a replay will do, before it does anything: which revisions are left, and whether they may be replayed at all.
import { AppError } from "../../../shared/app-error.ts";
import { eventIdPattern } from "../../../shared/contract/identifiers.ts";
import { fastestReplay, isReplaySpeed, slowestReplay } from "../../../shared/revisions/replay-speed.ts";
import type { EventRecord, ReadableCatalog } from "../../catalog/catalog.ts";

export interface ReplayPlan {
  /** The source's sequence just before the first revision that is left; `last` when none is. */
  readonly after: number;
  /** The source's sequence after which the replay ends. */
  readonly last: number;
  /** From the first revision that is left to the last one, as they were published; 0 when at most one is left. */
  readonly spanMs: number;
  /** The replay's own newest sequence; 0 while nothing is published. */
  readonly publishedAs: number;
}

export interface PlanOptions {
  readonly catalog: Pick<ReadableCatalog, "findEvent" | "findLatestRevision" | "findRevisionAfter">;
  readonly from: string;
  readonly as: string;
  readonly speed: number;
  readonly longestWaitMs?: number | undefined;
}

/** @throws AppError as `startReplay` does */
export async function planReplay({
  catalog,
  from,
  as,
  speed,
  longestWaitMs,
}: PlanOptions): Promise<ReplayPlan> {
  if (!eventIdPattern.test(as)) throw new AppError("invalid-input", `"${as}" is not an event id.`);
  if (as === from) throw new AppError("invalid-input", "A replay needs an event of its own.");
  requireSpeed(speed);
  if (longestWaitMs !== undefined && !(longestWaitMs >= 0)) {
    throw new AppError("invalid-input", "The longest wait of a replay cannot be below zero.");
  }
  const source = await catalog.findEvent(from);
  if (!source) throw new AppError("not-found", `There is no event ${from}.`);
  const target = await catalog.findEvent(as);
  if (target) requireReplayOf(target, from);
  const newest = await catalog.findLatestRevision(from);
  if (!newest) throw new AppError("not-found", `The event ${from} has no revision that could be replayed.`);
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
  throw new AppError(
    "invalid-input",
    `A replay's speed is from ${slowestReplay} to ${fastestReplay} times that of its publication, not ${speed}.`,
  );
}

/** @throws AppError `conflict` */
function requireReplayOf({ id, status, replayOf }: EventRecord, from: string): void {
  if (!replayOf) {
    throw new AppError("conflict", `The event ${id} is there already and is no replay; choose another id.`);
  }
  if (replayOf.eventId !== from) {
    throw new AppError(
      "conflict",
      `The event ${id} is a replay of ${replayOf.eventId}, not of ${from}; choose another id.`,
    );
  }
  if (status === "archived") {
    throw new AppError("conflict", `The event ${id} is archived and cannot change.`);
  }
}
