// Write transactions of a service's catalog.
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import {
  CommitUnknownError,
  foreignKeyViolation,
  sqlState,
} from "../../../platform/postgres/database-error.ts";
import type { CommitDurability, Database, Session } from "../../../platform/postgres/database.ts";
import type { EventState } from "../../plans/event-state.ts";
import { toEventState, type EventRow } from "../../rows/catalog-rows.ts";
import { changeChannel } from "../reading/change-watch.ts";
import { eventColumns } from "../service-columns.ts";
import type { Lease } from "../leases/leases.ts";

export type Query = Session["query"];

/**
 * Runs `body` in a transaction; again with `isAgain`, if nobody knows whether that was committed. So `body` must find
 * out.
 */
export type Commit = <Result>(
  durability: CommitDurability,
  body: (query: Query, isAgain: boolean) => Promise<Result>,
) => Promise<Result>;

const mostAttempts = 3;

/** With a lease, every transaction fails with `conflict` once another process has taken it over. */
export function createCommit(database: Database, lease?: Lease): Commit {
  return async (durability, body) => {
    let unknown: CommitUnknownError | undefined;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await database.transact(durability, async ({ query }) => {
          if (lease) await requireLease(query, lease);
          return body(query, attempt > 1);
        });
      } catch (error) {
        if (error instanceof CommitUnknownError && attempt < mostAttempts) unknown ??= error;
        // An attempt that waits for a standby keeps its locks, so the next one takes too long.
        else throw unknown && isAppError(error, "storage-unavailable") ? unknown : toFrameMissing(error);
      }
    }
  };
}

/** Holds the lease until the end of the transaction: nobody can take it over meanwhile. */
async function requireLease(query: Query, { name, epoch }: Lease): Promise<void> {
  const sql = "SELECT 1 FROM leases WHERE name = $1 AND epoch = $2 AND holder <> '' FOR SHARE";
  const rows = await query(sql, [name, epoch]);
  if (rows.length > 0) return;
  throw new AppError("conflict", `Another process has taken over ${name}, so this one has stopped writing.`);
}

/** A layer whose blob was forgotten after the plan was made. */
function toFrameMissing(error: unknown): unknown {
  const cause = error instanceof AppError ? error.cause : error;
  if (sqlState(cause) !== foreignKeyViolation) return error;
  const { constraint } = cause as { constraint?: string };
  if (constraint !== "revision_layers_frame_id_fkey") return error;
  return new AppError("frame-missing", "The frame of a layer is not in the store any more.", { cause });
}

/** Returns the time of the database in milliseconds. */
export async function readClock(query: Query): Promise<number> {
  const [row] = await query<{ now: number }>("SELECT catalog_clock() AS now");
  return row!.now;
}

/** Key space of the advisory locks on events that are to be created ("even" in ASCII). */
const creationLocks = 0x6576656e;

/** Returns an event and locks it until the end of the transaction; an unknown one cannot be created meanwhile. */
export async function lockEvent(query: Query, eventId: string): Promise<EventState | undefined> {
  const find = (): Promise<readonly EventRow[]> =>
    query<EventRow>(`SELECT ${eventColumns} FROM events WHERE id = $1 FOR UPDATE`, [eventId]);
  let [row] = await find();
  if (!row) {
    await query("SELECT pg_advisory_xact_lock($1, hashtext($2))", [creationLocks, eventId]);
    [row] = await find();
  }
  return row && toEventState(row);
}

/** Tells listeners of all nodes at the commit that events or revisions have changed. */
export async function notifyChange(query: Query): Promise<void> {
  await query(`SELECT pg_notify('${changeChannel}', '')`);
}
