// Questions to the database of a machine, by its administrator.
import { expect } from "vitest";
import type { Machine } from "./site.ts";

/** Returns the answer of psql, unaligned and without a heading. @throws Error with what it said */
export async function askDatabase(machine: Machine, sql: string): Promise<string> {
  const { status, text } = await machine.run(`cd /tmp; runuser -u postgres -- psql -qtA echotop -c "${sql}"`);
  if (status !== 0) throw new Error(text);
  return text.trim();
}

/** Waits until every commit on `primary` needs the other machine. */
export async function untilFollowed(primary: Machine, follower: Machine): Promise<void> {
  await expect
    .poll(() => askDatabase(primary, "SELECT application_name, state, sync_state FROM pg_stat_replication"), {
      timeout: 60_000,
    })
    .toBe(`${follower.name}|streaming|quorum`);
}

export interface StoredRevision {
  readonly sequence: number;
  readonly revisionId: string;
  readonly observedMs: number;
  readonly publishedMs: number;
}

/** Returns the revisions of the live event, in their order. */
export async function listRevisions(primary: Machine): Promise<readonly StoredRevision[]> {
  const columns = {
    sequence: "sequence",
    revisionId: "revision_id",
    observedMs: "observed_at",
    publishedMs: "published_at",
  };
  const pairs = Object.entries(columns).map(([name, column]) => `'${name}', ${column}`);
  const rows = await askDatabase(
    primary,
    `SELECT coalesce(json_agg(json_build_object(${pairs.join(", ")}) ORDER BY sequence), '[]')
      FROM revisions WHERE event_id = 'live'`,
  );
  return JSON.parse(rows) as StoredRevision[];
}
