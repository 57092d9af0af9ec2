// Summarizes a zone's log for the viewer: how often each crawler was redirected from which page, and why others were
// not.
import type { GatewayReport } from "../../../../shared/contract/briefings.ts";
import { trainingCategory } from "../crawlers/crawler-verdict.ts";
import { logLimits } from "../gateway-limits.ts";
import type { Condition } from "./conditions.ts";
import { readGroups } from "./read-records.ts";
import type { RecordGroup, RecordReader } from "./record-store.ts";

export interface ReportQuery {
  readonly zoneId: string;
  /** Included. */
  readonly sinceMs: number;
}

/** Throws as `readGroups` does. */
export async function createReport(
  records: RecordReader,
  { zoneId, sinceMs }: ReportQuery,
): Promise<GatewayReport> {
  const isRecent: Condition = { kind: "geq", column: "at", value: sinceMs };
  const isTrainer: Condition = { kind: "eq", column: "category", value: trainingCategory };
  const isRedirected: Condition = { kind: "neq", column: "target", value: "" };
  const [all] = await readGroups(records, { zoneId, where: isRecent, by: [] });
  const redirects = await readGroups(records, {
    ...{ zoneId, where: { kind: "all", of: [isRecent, isRedirected] } },
    by: ["name", "path", "target"],
  });
  const reasons = await readGroups(records, {
    ...{ zoneId, where: { kind: "all", of: [isRecent, isTrainer] } },
    by: ["reason"],
  });
  return {
    requests: all?.count ?? 0,
    redirects: redirects.reduce((sum, { count }) => sum + count, 0),
    rows: redirects.toSorted(byFrequency).slice(0, logLimits.reportRows).map(toReportRow),
    reasons: reasons.toSorted(byFrequency).map(({ values, count }) => ({ reason: String(values[0]), count })),
  };
}

/** Sorts by count, then by the newest. */
function byFrequency(a: RecordGroup, b: RecordGroup): number {
  return b.count - a.count || b.lastAt - a.lastAt;
}

function toReportRow({ values, count, lastAt }: RecordGroup): GatewayReport["rows"][number] {
  const [crawler, path, target] = values;
  return {
    crawler: typeof crawler === "string" ? crawler : null,
    path: String(path),
    target: String(target),
    count,
    lastAt: new Date(lastAt).toISOString(),
  };
}
