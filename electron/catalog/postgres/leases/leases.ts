// Leases: work that one process at a time does. They run on the clock of the database. A holder that slept past its
// lease finds another epoch and can write no more.
import { CommitUnknownError } from "../../../platform/postgres/database-error.ts";
import type { Database } from "../../../platform/postgres/database.ts";

export interface Lease {
  readonly name: string;
  /** Rises with every new holder. */
  readonly epoch: number;
}

export interface Leases {
  /**
   * Takes a free or expired lease. Returns undefined while another process holds it; then nothing is written, so that a
   * process that stands by makes no reader look for changes.
   */
  acquire(name: string, holder: string, durationMs: number): Promise<Lease | undefined>;
  /**
   * Extends a lease, also an expired one that nobody has taken. Returns false if another process has it, or if it was
   * given back.
   */
  renew(lease: Lease, durationMs: number): Promise<boolean>;
  /** Gives a lease back, so that another process need not wait for its end. */
  release(lease: Lease): Promise<void>;
}

const mostAttempts = 3;

export function createLeases({ read, transact }: Database): Leases {
  const take = async (name: string, holder: string, durationMs: number): Promise<Lease | undefined> => {
    const held = await read(
      "SELECT 1 FROM leases WHERE name = $1 AND holder <> $2 AND expires_at > catalog_clock()",
      [name, holder],
    );
    if (held.length > 0) return undefined;
    const [row] = await transact("durable", ({ query }) =>
      query<{ epoch: number }>(
        `INSERT INTO leases AS l VALUES ($1, $2, 1, catalog_clock() + $3::bigint)
          ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, epoch = l.epoch + 1,
            expires_at = excluded.expires_at
            WHERE l.expires_at <= catalog_clock() OR l.holder = excluded.holder
          RETURNING epoch`,
        [name, holder, durationMs],
      ),
    );
    return row && { name, epoch: row.epoch };
  };
  return {
    acquire: async (name, holder, durationMs) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await take(name, holder, durationMs);
        } catch (error) {
          // The lease may be ours without an answer; asked again, its holder gets it again.
          if (!(error instanceof CommitUnknownError) || attempt === mostAttempts) throw error;
        }
      }
    },
    renew: async ({ name, epoch }, durationMs) => {
      const rows = await transact("durable", ({ query }) =>
        query(
          `UPDATE leases SET expires_at = catalog_clock() + $3::bigint
            WHERE name = $1 AND epoch = $2 AND holder <> '' RETURNING 1`,
          [name, epoch, durationMs],
        ),
      );
      return rows.length > 0;
    },
    release: async ({ name, epoch }) => {
      await transact("durable", ({ query }) =>
        query("UPDATE leases SET holder = '', expires_at = 0 WHERE name = $1 AND epoch = $2", [name, epoch]),
      );
    },
  };
}
