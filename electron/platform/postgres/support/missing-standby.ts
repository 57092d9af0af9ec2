// A server whose commits wait for a standby that does not exist.
import { onTestFinished } from "vitest";
import type { PostgresServer } from "../../../support/engines/postgres-server.ts";

/** Ends the wait of all commits, which the server then confirms with a warning. Returns false if none waits. */
export async function giveUpWaiting(server: PostgresServer): Promise<boolean> {
  const rows = await server.query(
    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
  );
  return rows.length > 0;
}

/** Makes commits wait, until the end of the running test. */
export async function requireStandby(server: PostgresServer): Promise<void> {
  await server.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
  await server.query("SELECT pg_reload_conf()");
  onTestFinished(() => allowAlone(server));
  // The server confirms without waiting until its new setting is in force.
  while (!(await doesCommitWait(server)));
}

async function doesCommitWait(server: PostgresServer): Promise<boolean> {
  const state = { isDone: false };
  const commit = server.query("SELECT pg_logical_emit_message(true, 'probe', '')").finally(() => {
    state.isDone = true;
  });
  let isWaiting = false;
  while (!state.isDone && !isWaiting) isWaiting = await giveUpWaiting(server);
  await commit;
  return isWaiting;
}

/** Confirms the commits that wait, and later ones at once. */
export async function allowAlone(server: PostgresServer): Promise<void> {
  await server.query("ALTER SYSTEM RESET synchronous_standby_names");
  await server.query("SELECT pg_reload_conf()");
}
