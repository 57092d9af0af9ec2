// The control plane's stores in the database of a service. Loaded only where one is configured; the desktop's bundle
// leaves this file out.
import { openServiceDatabase } from "../../catalog/stores/service-stores.ts";
import type { Log } from "../../platform/effects.ts";
import { createServiceTokens } from "../../services/api/service-tokens.ts";
import type { RequestLogOptions } from "../../services/gateway/log/request-log.ts";
import { openServiceLog } from "../../services/gateway/postgres/service-records.ts";
import { openServiceSettings } from "../../services/gateway/postgres/service-settings.ts";

/** Shorter than for the catalog: a caller of the control plane can ask again, and records wait in memory. */
const patienceMs = { read: 2_000, transact: 5_000 };

/** @throws AppError that names `catalog.url` and says what to do */
export async function openServiceControl(catalogUrl: string, log: Log) {
  const database = await openServiceDatabase(catalogUrl, { connections: 4, patienceMs });
  return {
    openTokens: () => Promise.resolve(createServiceTokens(database)),
    openSettings: () => openServiceSettings(database, log),
    openLog: (options: RequestLogOptions) => openServiceLog(database, options),
    close: () => database.close(),
  };
}
