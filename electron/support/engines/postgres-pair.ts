// A primary and a synchronous standby: no commit is acknowledged before the standby has it.
import { createFolder, postgresPassword, postgresUser, startPostgres } from "./postgres-server.ts";
import type { PostgresServer, ServerOptions } from "./postgres-server.ts";
import { runProgram } from "./postgres-programs.ts";

export interface PostgresPair {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** Makes the standby the primary. It then acknowledges commits alone, until `rejoin`. */
  readonly promote: () => Promise<void>;
  /** Brings the stopped old primary, now `standby`, back as the synchronous standby of the promoted one. */
  readonly rejoin: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

export async function startPostgresPair({ settings = {} }: ServerOptions = {}): Promise<PostgresPair> {
  let primary = await startPostgres({ settings });
  let standby = await createFolder();
  await runProgram(
    "pg_basebackup",
    [
      ...["-h", "127.0.0.1", "-p", String(primary.port), "-U", postgresUser, "-D", standby.dataFolder],
      ...["--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf", "--no-sync"],
    ],
    { PGPASSWORD: postgresPassword },
  );
  await standby.start();
  await waitForStandby(primary);
  return {
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    promote: async () => {
      await setStandbys(standby, "");
      await standby.query("SELECT pg_promote(true, 30)");
      [primary, standby] = [standby, primary];
    },
    rejoin: async () => {
      // Until then, `pg_rewind` reads the old timeline and believes that there is nothing to do.
      await primary.query("CHECKPOINT");
      await runProgram(
        "pg_rewind",
        [
          `--target-pgdata=${standby.dataFolder}`,
          `--source-server=host=127.0.0.1 port=${primary.port} user=${postgresUser} dbname=postgres`,
          ...["--write-recovery-conf", "--no-sync"],
        ],
        { PGPASSWORD: postgresPassword },
      );
      await standby.start();
      await waitForStandby(primary);
    },
    remove: async () => {
      await Promise.all([primary.remove(), standby.remove()]);
    },
  };
}

/** Requires a standby for every commit, and waits until there is one. */
async function waitForStandby(server: PostgresServer): Promise<void> {
  await setStandbys(server, "ANY 1 (*)");
  for (;;) {
    const rows = await server.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'quorum'");
    if (rows.length > 0) return;
  }
}

async function setStandbys(server: PostgresServer, names: string): Promise<void> {
  await server.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
  await server.query("SELECT pg_reload_conf()");
}
