// The request log: records come from the proxy one by one, are written in batches to `gateway/requests.sqlite`, kept for some
// days, read by the control plane and the viewer, and pushed to a sink. The file may be deleted while the host is off.
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import type { GatewayReport } from "../../../../shared/contract/briefings.ts";
import type { Effects } from "../../../platform/effects.ts";
import { openGatewayDatabase } from "../settings/gateway-database.ts";
import { BatchWriter } from "./batch-writer.ts";
import { logMigrations } from "./log-schema.ts";
import { startPush, type Push, type PushTarget } from "./push.ts";
import {
  readGroups,
  readPage,
  type GroupQuery,
  type PageQuery,
  type RecordGroup,
  type RecordPage,
} from "./read-records.ts";
import { createRecordTable } from "./record-table.ts";
import { createReport } from "./log-report.ts";
import type { RequestLog } from "./request-record.ts";
import { startRetention } from "./log-retention.ts";

export interface RequestLogOptions extends Pick<Effects, "now" | "fetch" | "log"> {
  /** The data directory. */
  readonly directory: string;
  readonly keepDays: number;
  readonly push: PushTarget | undefined;
  /** Of the push; the clock's own unless given. */
  readonly sleep?: Effects["sleep"] | undefined;
}

/**
 * The log with everything that can be asked of it. Queries see every record that was appended before, and leave room for other
 * work; @throws AppError `invalid-input` for one that takes too long or has too large an answer.
 */
export interface KeptRequestLog extends RequestLog {
  readonly page: (query: PageQuery) => Promise<RecordPage>;
  /** In no order. */
  readonly groups: (query: GroupQuery) => Promise<readonly RecordGroup[]>;
  /** Of the last hours. */
  readonly report: (query: { readonly zoneId: string; readonly hours: number }) => Promise<GatewayReport>;
}

/** "Egwl" in ASCII. */
const applicationId = 0x4567776c;
const hourMs = 3_600_000;

/** @throws AppError `conflict` for a file of a newer version or of another program, `storage-failed` */
export function openRequestLog(options: RequestLogOptions): Promise<KeptRequestLog> {
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

function createRequestLog(database: DatabaseSync, options: RequestLogOptions): KeptRequestLog {
  const { keepDays, push: target, now, fetch, log, sleep = wait } = options;
  const table = createRecordTable(database);
  const writer = new BatchWriter({ write: table.insert, log });
  const retention = startRetention({ table, keepDays, isPushed: target !== undefined, now, log });
  const push: Push | undefined = target && startPush({ table, target, fetch, sleep, log });
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await Promise.all([push?.close(), retention.close()]);
    await writer.close();
    database.close();
  };
  const page: KeptRequestLog["page"] = async (query) => {
    await writer.flush();
    return readPage(table, query);
  };
  return {
    append: (record) => {
      writer.append(record);
    },
    query: async (query) => (await page(query)).records,
    page,
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
