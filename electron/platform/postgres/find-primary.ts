// Finds the host that takes writes. All are asked at once: a host without power does not answer, and must not make the
// others wait. If two take writes, the one on the newest timeline is right: the other is an old primary that came back.
import type { DatabaseAddress, DatabaseHost } from "./database-url.ts";
import { isLost, unreachable } from "./database-error.ts";
import { toClientConfig, type Pg } from "./client-settings.ts";

/** Most time that other hosts get to answer after the first one that takes writes. */
const graceMs = 250;

export interface PrimaryHost {
  readonly host: DatabaseHost;
  /** Eight hexadecimal digits, which rise with every promotion. */
  readonly timeline: string;
}

/** @throws the error of a host that refused, else AppError `storage-unavailable` */
export async function findPrimary(address: DatabaseAddress, pg: Pg): Promise<PrimaryHost> {
  const [only, ...others] = address.hosts;
  const candidates: PrimaryHost[] = [];
  const errors: Error[] = [];
  let foundFirst: (() => void) | undefined;
  const first = new Promise<void>((resolve) => {
    foundFirst = resolve;
  });
  const probes = [only, ...others].map(async (host) => {
    try {
      const timeline = await readTimeline(address, host, pg);
      if (timeline === undefined) return;
      candidates.push({ host, timeline });
      foundFirst?.();
    } catch (error) {
      errors.push(error as Error);
    }
  });
  const all = Promise.all(probes);
  await Promise.race([all, first]);
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise((resolve) => (timer = setTimeout(resolve, graceMs)));
  await Promise.race([all, grace]);
  clearTimeout(timer);
  const [newest] = candidates.toSorted((a, b) => (a.timeline < b.timeline ? 1 : -1));
  if (newest) return newest;
  throw errors.find((error) => !isLost(error)) ?? unreachable(errors[0]);
}

/** Returns undefined for a standby or another server that takes no writes. */
async function readTimeline(
  address: DatabaseAddress,
  host: DatabaseHost,
  pg: Pg,
): Promise<string | undefined> {
  const config = await toClientConfig(address, host, pg);
  const client = new pg.Client({ ...config, query_timeout: address.connectTimeoutMs });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: string | null }>(`
      SELECT CASE WHEN NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off'
        THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`);
    return rows[0]?.timeline ?? undefined;
  } finally {
    void client.end().catch(() => undefined);
  }
}
