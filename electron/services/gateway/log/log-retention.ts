// Records that are old enough go, a few at a time, at start and every hour.
import { setImmediate as breathe } from "node:timers/promises";
import { messageOf } from "../../../../shared/app-error.ts";
import type { Log } from "../../../platform/effects.ts";
import type { RecordTable } from "./record-table.ts";

export interface RetentionOptions {
  readonly table: Pick<RecordTable, "selectOlder" | "remove" | "readPosition">;
  readonly keepDays: number;
  /** Whether it matters what was pushed. */
  readonly isPushed: boolean;
  readonly now: () => Date;
  readonly log: Log;
}

export interface Retention {
  /** Idempotent; done when nothing is at work any more. */
  readonly close: () => Promise<void>;
}

const dayMs = 86_400_000;
const everyMs = 3_600_000;
const atOnce = 250;

export function startRetention(options: RetentionOptions): Retention {
  let isClosed = false;
  const work = async (): Promise<void> => {
    try {
      await removeOld(options, () => isClosed);
    } catch (error) {
      options.log("warn", `Old records of requests could not be removed: ${messageOf(error)}`);
    }
  };
  let working = work();
  const timer = setInterval(() => {
    working = working.then(work);
  }, everyMs).unref();
  return {
    close() {
      isClosed = true;
      clearInterval(timer);
      return working;
    },
  };
}

async function removeOld(
  { table, keepDays, isPushed, now, log }: RetentionOptions,
  isClosed: () => boolean,
): Promise<void> {
  const beforeMs = now().getTime() - keepDays * dayMs;
  let unsent = 0;
  for (;;) {
    await breathe();
    if (isClosed()) break;
    const seqs = table.selectOlder(beforeMs, atOnce);
    if (seqs.length === 0) break;
    const position = table.readPosition();
    if (isPushed && position !== undefined) unsent += seqs.filter((seq) => seq > position).length;
    table.remove(seqs);
  }
  if (unsent > 0) log("warn", `${unsent} records of requests were kept to their end and never pushed.`);
}
