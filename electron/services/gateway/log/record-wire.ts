// A record as it goes out: in answers of the control plane and to the sink of the push.
import type { RequestRecord } from "./request-record.ts";

export function toRecordWire(record: RequestRecord) {
  return {
    id: record.id,
    datetime: new Date(record.at).toISOString(),
    host: record.host,
    path: record.path,
    status: record.status,
    user_agent: record.userAgent,
    verified_bot_category: record.verifiedBotCategory,
    reason: record.reason,
    redirects_for_ai_training_target: record.redirectsForAiTrainingTarget,
  };
}

/** One line of NDJSON, with its end. Records of all zones go into one stream. */
export function toNdjson(record: RequestRecord): string {
  return `${JSON.stringify({ ...toRecordWire(record), zone_id: record.zoneId })}\n`;
}
