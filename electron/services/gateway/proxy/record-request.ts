// Records the result of a request: one record each, without headers and query.
import type { Log } from "../../../platform/effects.ts";
import type { CrawlerVerdict } from "../crawlers/crawler-verdict.ts";
import type { RequestLog } from "../log/open-request-log.ts";
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
