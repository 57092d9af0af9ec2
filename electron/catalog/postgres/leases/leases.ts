// Leases: work that one process at a time does. They run on the clock of the database. A holder that slept past its
// lease finds another epoch and can write no more.
import type { Database } from "../../../platform/postgres/database.ts";

export interface Lease {
  readonly name: string;
  /** Rises with every new holder. */
  readonly epoch: number;
}

export interface Leases {
  /** Takes a free or expired lease. Returns undefined while another process holds it. */
  acquire(name: string, holder: string, durationMs: number): Promise<Lease | undefined>;
  /** Extends a lease, also an expired one that nobody has taken. Returns false if another process has it. */
  renew(lease: Lease, durationMs: number): Promise<boolean>;
  /** Gives a lease back, so that another process need not wait for its end. */
  release(lease: Lease): Promise<void>;
}

export function createLeases({ transact }: Database): Leases {
  return {
    acquire: async (name, holder, durationMs) => {
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
    },
    renew: async ({ name, epoch }, durationMs) => {
      const rows = await transact("durable", ({ query }) =>
        query(
          `UPDATE leases SET expires_at = catalog_clock() + $3::bigint WHERE name = $1 AND epoch = $2 RETURNING 1`,
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
