// The partitions of the request log, one for each day in UTC. One is made or removed under the lock of the log's
// writers.
import { sqlState } from "../../../platform/postgres/database-error.ts";
import type { Database, Session } from "../../../platform/postgres/database.ts";
import { serviceLimits } from "../gateway-limits.ts";

const { dayMs, daysAhead, dropLockMs } = serviceLimits;

/** Key of the advisory lock of the log's writers ("Egwl" in ASCII): records become visible in the order of `seq`. */
const writersLock = 0x4567776c;

/** Waits for other writers; they wait until the end of this transaction. */
export async function lockWriters({ query }: Session): Promise<void> {
  await query("SELECT pg_advisory_xact_lock($1)", [writersLock]);
}

/** Returns the number of the day since 1970. */
export function dayOf(ms: number): number {
  return Math.floor(ms / dayMs);
}

function nameOf(day: number): string {
  return `gateway_records_${new Date(day * dayMs).toISOString().slice(0, 10).replaceAll("-", "")}`;
}

/** Makes the partition of a day unless it exists. The caller holds the lock. */
export async function makePartition({ query, execute }: Session, day: number): Promise<void> {
  const name = nameOf(day);
  const [found] = await query<{ found: boolean }>("SELECT to_regclass($1) IS NOT NULL AS found", [name]);
  if (found!.found) return;
  // Attached afterwards, because a partition that is created as one stops the readers of all others.
  await execute(
    `CREATE TABLE ${name} (LIKE gateway_records INCLUDING DEFAULTS);
     ALTER TABLE gateway_records ATTACH PARTITION ${name} FOR VALUES FROM (${day * dayMs}) TO (${(day + 1) * dayMs})`,
  );
}

/** Makes the partitions of today and of the days to come. */
export async function makePartitionsAhead(database: Database): Promise<void> {
  await database.transact("lazy", async (session) => {
    await lockWriters(session);
    const [clock] = await session.query<{ now: number }>("SELECT catalog_clock() AS now");
    const today = dayOf(clock!.now);
    for (let day = today; day <= today + daysAhead; day += 1) await makePartition(session, day);
  });
}

/**
 * Removes the oldest partition if all of its records are older than `keepMs`. Returns the number of those that no push
 * has sent; undefined if there is no such partition, or if readers were in the way.
 */
export async function dropOldest(database: Database, keepMs: number): Promise<number | undefined> {
  try {
    return await database.transact("lazy", (session) => dropIfOld(session, keepMs));
  } catch (error) {
    if (isLockTaken(error)) return undefined;
    throw error;
  }
}

async function dropIfOld(session: Session, keepMs: number): Promise<number | undefined> {
  const { query, execute } = session;
  await lockWriters(session);
  const [oldest] = await query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'gateway_records'::regclass ORDER BY c.relname LIMIT 1`,
  );
  const [clock] = await query<{ now: number }>("SELECT catalog_clock() AS now");
  const lastDay = dayOf(clock!.now - keepMs) - 1;
  if (oldest === undefined || oldest.name > nameOf(lastDay)) return undefined;
  const [unsent] = await query<{ count: number }>(
    `SELECT count(*) AS count FROM ${oldest.name} WHERE seq > (SELECT position FROM gateway_push)`,
  );
  await execute(`SET LOCAL lock_timeout = ${dropLockMs}; DROP TABLE ${oldest.name}`);
  return unsent!.count;
}

/** True if the lock on a table was not free in time. */
function isLockTaken(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return sqlState(cause) === "55P03";
}
