// The request log of a data directory: records in `gateway/requests.sqlite`, which may be deleted while the host is
// off.
import { join } from "node:path";
import { openGatewayDatabase } from "../settings/gateway-database.ts";
import { logMigrations, RecordTable } from "./record-table.ts";
import { createRequestLog, type RequestLog, type RequestLogOptions } from "./request-log.ts";

export interface FileLogOptions extends RequestLogOptions {
  /** The data directory. */
  readonly directory: string;
}

/** "Egwl" in ASCII. */
const applicationId = 0x4567776c;

/** @throws AppError `conflict` for a file of a newer version or of another program, `storage-failed` */
export async function openRequestLog({ directory, ...options }: FileLogOptions): Promise<RequestLog> {
  const database = openGatewayDatabase({
    path: join(directory, "gateway", "requests.sqlite"),
    applicationId,
    migrations: logMigrations,
    subject: "The gateway's request records",
    sharing: "shared",
    durability: "batched",
  });
  try {
    return await createRequestLog(new RecordTable(database), options);
  } catch (error) {
    database.close();
    throw error;
  }
}
