// The request log. The proxy appends records one by one; they are written in batches, kept for some days, read by the
// control plane and the viewer, and pushed to a receiver.
import { setTimeout as delay } from "node:timers/promises";
import type { GatewayReport } from "../../../../shared/contract/briefings.ts";
import type { Effects } from "../../../platform/effects.ts";
import { BatchWriter, type WaitingRecords } from "./batch-writer.ts";
import { createReport } from "./log-report.ts";
import { startRetention } from "./log-retention.ts";
import { startPush, type PushTarget } from "./push.ts";
import { readGroups, readPage, type GroupQuery, type PageQuery, type RecordPage } from "./read-records.ts";
import type { RecordGroup, RecordStore } from "./record-store.ts";
import type { RequestRecord } from "./request-record.ts";

export interface RequestLogOptions extends Pick<Effects, "now" | "fetch" | "log"> {
  readonly keepDays: number;
  readonly push: PushTarget | undefined;
  /** Waits between pushes; the real clock if undefined. */
  readonly sleep?: Effects["sleep"] | undefined;
}

/**
 * The log with its queries, which see every record appended before and leave time for other work.
 * @throws AppError `invalid-input` for a query that takes too long or has too large an answer; `storage-unavailable`
 */
export interface RequestLog {
  /** Never throws and never waits; records are counted as lost if the store fails for long. */
  readonly append: (record: RequestRecord) => void;
  readonly page: (query: PageQuery) => Promise<RecordPage>;
  /** In no particular order. */
  readonly groups: (query: GroupQuery) => Promise<readonly RecordGroup[]>;
  /** Summarizes the last hours. */
  readonly report: (query: { readonly zoneId: string; readonly hours: number }) => Promise<GatewayReport>;
  readonly state: () => WaitingRecords;
  /** Writes waiting records, ends the push and closes the store. Idempotent. */
  readonly close: () => Promise<void>;
}

const hourMs = 3_600_000;

/** Closes the store with the log. @throws as the store does */
export async function createRequestLog(store: RecordStore, options: RequestLogOptions): Promise<RequestLog> {
  const { keepDays, push: target, now, fetch, log, sleep = wait } = options;
  // The first push begins with the first record of this log.
  if (target) await store.beginPush();
  const writer = new BatchWriter({ write: (records) => store.insert(records), log });
  const retention = startRetention({ store, keepDays, isPushed: target !== undefined, now, log });
  const push = target && startPush({ store, target, fetch, sleep, log });
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await Promise.all([push?.close(), retention.close()]);
    await writer.close();
    await store.close();
  };
  return {
    append: (record) => {
      writer.append(record);
    },
    async page(query) {
      await writer.flush();
      return readPage(store, query);
    },
    async groups(query) {
      await writer.flush();
      return readGroups(store, query);
    },
    async report({ zoneId, hours }) {
      await writer.flush();
      return createReport(store, { zoneId, sinceMs: now().getTime() - hours * hourMs });
    },
    state: () => writer.state(),
    close: () => (closed ??= close()),
  };
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false });
}
