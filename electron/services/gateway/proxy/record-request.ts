// Records the result of a request: one record each, without headers and query.
import { randomBytes } from "node:crypto";
import type { Log } from "../../../platform/effects.ts";
import type { CrawlerVerdict } from "../crawlers/crawler-verdict.ts";
import type { RequestLog } from "../log/request-log.ts";
import type { Outcome } from "./delivery.ts";
import type { Inquiry } from "./inquiry.ts";

export interface RecordMeans {
  readonly log: Pick<RequestLog, "append">;
  readonly nextId: () => string;
  readonly report: Log;
}

/** Appends at once if the verdict is known; otherwise once it is, without delaying the response. */
export function recordRequest(
  inquiry: Inquiry,
  outcome: Outcome,
  arrivedAtMs: number,
  means: RecordMeans,
): void {
  const id = means.nextId();
  const append = (verdict: CrawlerVerdict | undefined): void => {
    const verified = verdict?.status === "verified" ? verdict : undefined;
    means.log.append({
      id,
      at: arrivedAtMs,
      zoneId: inquiry.site.zone.id,
      host: inquiry.host,
      path: inquiry.path,
      status: outcome.status,
      userAgent: inquiry.userAgent,
      verifiedBotCategory: verified?.category ?? null,
      verifiedBotName: verified?.name ?? null,
      reason: outcome.reason,
      redirectsForAiTrainingTarget: outcome.target ?? null,
    });
  };
  const verdict = inquiry.verdict();
  if (!(verdict instanceof Promise)) {
    append(verdict);
    return;
  }
  verdict.then(append, (error: unknown) => {
    means.report("error", "A visitor could not be verified.", { error });
    append(undefined);
  });
}

/**
 * Creates ids of records: UUIDs of version 7 (RFC 9562, section 5.7), which sort by time, even within a millisecond.
 * `nowMs` is the clock, in ms since 1970; ids rise even if it goes back.
 */
export function createRecordIds(nowMs: () => number): () => string {
  // Fixed per run: the counter makes ids of one millisecond distinct.
  const tail = randomBytes(8);
  tail[0] = (tail[0]! & 0x3f) | 0x80;
  const hex = tail.toString("hex");
  const run = `${hex.slice(0, 4)}-${hex.slice(4)}`;
  let lastMs = 0;
  let count = 0;
  return () => {
    const ms = nowMs();
    if (ms > lastMs) {
      lastMs = ms;
      count = 0;
    } else if (count < 0xfff) count += 1;
    else {
      lastMs += 1;
      count = 0;
    }
    const time = lastMs.toString(16).padStart(12, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, "0")}-${run}`;
  };
}
