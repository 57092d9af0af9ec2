// Removes old records, a few at a time, at the start and every hour.
import { setImmediate as breathe } from "node:timers/promises";
import { messageOf } from "../../../../shared/app-error.ts";
import type { Log } from "../../../platform/effects.ts";
import { logLimits } from "../gateway-limits.ts";
import type { RetainedRecords } from "./record-store.ts";

export interface RetentionOptions {
  readonly store: RetainedRecords;
  readonly keepDays: number;
  /** True if records are pushed, so that losing an unsent one is reported. */
  readonly isPushed: boolean;
  readonly now: () => Date;
  readonly log: Log;
}

const dayMs = 86_400_000;

/** `close` resolves when no work is in progress. Idempotent. */
export function startRetention(options: RetentionOptions): { readonly close: () => Promise<void> } {
  let isClosed = false;
  const work = async (): Promise<void> => {
    try {
      await removeOld(options, () => isClosed);
    } catch (error) {
      options.log("warn", `Old request records of the gateway could not be removed: ${messageOf(error)}`);
    }
  };
  let working = work();
  const timer = setInterval(() => {
    working = working.then(work);
  }, logLimits.retentionIntervalMs).unref();
  return {
    close() {
      isClosed = true;
      clearInterval(timer);
      return working;
    },
  };
}

async function removeOld(
  { store, keepDays, isPushed, now, log }: RetentionOptions,
  isClosed: () => boolean,
): Promise<void> {
  let unsent = 0;
  for (;;) {
    await breathe();
    if (isClosed()) break;
    const unsentNow = await store.tidy(keepDays * dayMs, now().getTime());
    if (unsentNow === undefined) break;
    unsent += unsentNow;
  }
  if (isPushed && unsent > 0)
    log("warn", `${unsent} old request records of the gateway were removed before they were pushed.`);
}
