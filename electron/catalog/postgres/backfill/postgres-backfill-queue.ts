// The queue of archive backfills in the database of a service.
import type { Database } from "../../../platform/postgres/database.ts";
import {
  backfillStates,
  type BackfillQueue,
  type BackfillState,
  type OpenBackfill,
} from "../../stores/backfill-queue.ts";
import { tryHoldLease } from "../leases/held-lease.ts";
import type { Leases } from "../leases/leases.ts";
import { createCommit } from "../writing/service-transaction.ts";
import { claimWindows, finishClaim, postponeClaim, renewClaims } from "./claim-windows.ts";
import { enqueueWindows } from "./enqueue-windows.ts";
import { publishNext } from "./publish-windows.ts";

const listOpen = `
  SELECT event_id AS "eventId",
      EXISTS (SELECT 1 FROM backfill_windows w WHERE w.event_id = b.event_id AND state = 'waiting'
        AND free_at <= catalog_clock()) AS "hasWork",
      (SELECT state FROM backfill_windows w WHERE w.event_id = b.event_id AND state IN ('waiting', 'drawn')
        ORDER BY observation_window LIMIT 1) IS DISTINCT FROM 'waiting' AS "isReady"
    FROM backfills b WHERE finished_at IS NULL ORDER BY event_id`;

const countWindows = `
  SELECT CASE WHEN is_claimed AND free_at > catalog_clock() THEN 'drawing' ELSE state END AS state,
      count(*) AS windows
    FROM backfill_windows WHERE event_id = coalesce($1, event_id) GROUP BY 1`;

export function createPostgresBackfillQueue(database: Database, leases: Leases): BackfillQueue {
  const { read } = database;
  const commit = createCommit(database);
  return {
    enqueue: (request) => commit("durable", (query) => enqueueWindows(query, request)),
    listOpen: () => read<OpenBackfill>(listOpen),
    claim: (limit) => commit("lazy", (query) => claimWindows(query, limit)),
    renew: (claims) => commit("lazy", (query) => renewClaims(query, claims)),
    finish: (claim, drawn) => commit("durable", (query) => finishClaim(query, claim, drawn)),
    postpone: (claim, delayMs, why) => {
      const failures = why === "failure" ? 1 : 0;
      return commit("durable", (query) => postponeClaim(query, claim, { delayMs, failures }));
    },
    publishDrawn: async (eventId, signal) => {
      const held = await tryHoldLease(leases, `backfill ${eventId}`);
      if (!held) return;
      try {
        const underLease = createCommit(database, held.lease);
        while (!signal.aborted && (await publishNext(underLease, eventId)) === "published");
      } finally {
        await held.close();
      }
    },
    count: async (eventId) => {
      const rows = await read<{ state: BackfillState; windows: number }>(countWindows, [eventId ?? null]);
      const found = new Map(rows.map(({ state, windows }) => [state, windows]));
      return Object.fromEntries(backfillStates.map((state) => [state, found.get(state) ?? 0])) as Record<
        BackfillState,
        number
      >;
    },
  };
}
