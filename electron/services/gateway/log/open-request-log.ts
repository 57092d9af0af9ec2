// The request log. The proxy appends records one by one; they are written in batches to `gateway/requests.sqlite`,
// kept for some days, read by the control plane and the viewer, and pushed to a receiver. The file may be deleted
// while the host is off.
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import type { GatewayReport } from "../../../../shared/contract/briefings.ts";
import type { Effects } from "../../../platform/effects.ts";
import { openGatewayDatabase } from "../settings/gateway-database.ts";
import { BatchWriter } from "./batch-writer.ts";
import { createReport } from "./log-report.ts";
import { startRetention } from "./log-retention.ts";
import { startPush, type PushTarget } from "./push.ts";
import { readGroups, readPage, type GroupQuery, type PageQuery, type RecordPage } from "./read-records.ts";
import { logMigrations, RecordTable, type RecordGroup } from "./record-table.ts";
import type { RequestRecord } from "./request-record.ts";

export interface RequestLogOptions extends Pick<Effects, "now" | "fetch" | "log"> {
  /** The data directory. */
  readonly directory: string;
  readonly keepDays: number;
  readonly push: PushTarget | undefined;
  /** Waits between pushes; the real clock if undefined. */
  readonly sleep?: Effects["sleep"] | undefined;
}

/**
 * The log with its queries, which see every record appended before and leave time for other work.
 * @throws AppError `invalid-input` for a query that takes too long or has too large an answer
 */
export interface RequestLog {
  /** Never throws and never waits; records are counted as lost if the disk is full. */
  readonly append: (record: RequestRecord) => void;
  readonly page: (query: PageQuery) => Promise<RecordPage>;
  /** In no particular order. */
  readonly groups: (query: GroupQuery) => Promise<readonly RecordGroup[]>;
  /** Summarizes the last hours. */
  readonly report: (query: { readonly zoneId: string; readonly hours: number }) => Promise<GatewayReport>;
  /** Writes waiting records and ends the push. Idempotent. */
  readonly close: () => Promise<void>;
}

/** "Egwl" in ASCII. */
const applicationId = 0x4567776c;
const hourMs = 3_600_000;

/** @throws AppError `conflict` for a file of a newer version or of another program, `storage-failed` */
export function openRequestLog(options: RequestLogOptions): Promise<RequestLog> {
  return new Promise((resolve) => {
    const database = openGatewayDatabase({
      path: join(options.directory, "gateway", "requests.sqlite"),
      applicationId,
      migrations: logMigrations,
      subject: "The gateway's request records",
      sharing: "shared",
      durability: "batched",
    });
    try {
      resolve(createRequestLog(database, options));
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

function createRequestLog(database: DatabaseSync, options: RequestLogOptions): RequestLog {
  const { keepDays, push: target, now, fetch, log, sleep = wait } = options;
  const table = new RecordTable(database);
  const write = (records: readonly RequestRecord[]): void => {
    table.insert(records);
  };
  const writer = new BatchWriter({ write, log });
  const retention = startRetention({ table, keepDays, isPushed: target !== undefined, now, log });
  const push = target && startPush({ table, target, fetch, sleep, log });
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await Promise.all([push?.close(), retention.close()]);
    await writer.close();
    database.close();
  };
  return {
    append: (record) => {
      writer.append(record);
    },
    async page(query) {
      await writer.flush();
      return readPage(table, query);
    },
    async groups(query) {
      await writer.flush();
      return readGroups(table, query);
    },
    async report({ zoneId, hours }) {
      await writer.flush();
      return createReport(table, { zoneId, sinceMs: now().getTime() - hours * hourMs });
    },
    close: () => (closed ??= close()),
  };
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false });
}
