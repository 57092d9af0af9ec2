// Reports of feeds: the health of each, written beside its lease by the process that leads, for readers elsewhere.
import { FeedList, type FeedHealth } from "../../../../shared/contract/feed-health.ts";
import { isAppError } from "../../../../shared/app-error.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import type { Lease } from "./leases.ts";

export interface FeedReports {
  /** Replaces the report of a lease. Does nothing if another process has it. */
  write(lease: Lease, feeds: readonly FeedHealth[]): Promise<void>;
  /** Returns the reports of all feeds that are led, at most a second old; while the database is away, the last ones. */
  list(): Promise<readonly FeedHealth[]>;
}

/** Viewers ask often. */
const freshMs = 1_000;

export function createFeedReports({ read, transact }: Database): FeedReports {
  let last: Promise<readonly FeedHealth[]> | undefined;
  let askedAtMs = 0;

  const ask = async (before: readonly FeedHealth[]): Promise<readonly FeedHealth[]> => {
    try {
      // The column is missing in a database of the version before.
      const rows = await read<{ report: string }>(
        `SELECT report FROM (SELECT to_jsonb(l) ->> 'report' AS report, name FROM leases AS l
          WHERE name LIKE 'feed %' AND holder <> '' AND expires_at > catalog_clock()) AS led
          WHERE report IS NOT NULL ORDER BY name`,
      );
      return rows.flatMap(({ report }) => FeedList.parse(JSON.parse(report)).feeds);
    } catch (error) {
      if (isAppError(error, "storage-unavailable")) return before;
      throw error;
    }
  };

  return {
    write: async ({ name, epoch }, feeds) => {
      const report = JSON.stringify({ feeds });
      await transact("lazy", ({ query }) =>
        query("UPDATE leases SET report = $3 WHERE name = $1 AND epoch = $2 AND holder <> ''", [
          ...[name, epoch, report],
        ]),
      );
    },
    list: async () => {
      const nowMs = performance.now();
      if (last === undefined || nowMs - askedAtMs >= freshMs) {
        askedAtMs = nowMs;
        const before = last?.catch(() => []) ?? Promise.resolve([]);
        last = before.then(ask);
      }
      return last;
    },
  };
}
