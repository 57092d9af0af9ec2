// The PostgreSQL server of a test file, and databases of single tests on it.
import { afterAll, beforeAll, onTestFinished } from "vitest";
import {
  postgresPassword,
  startPostgres,
  type PostgresServer,
} from "../../../support/engines/postgres-server.ts";
import { openDatabase, type Database, type DatabaseOptions } from "../database.ts";

/** Gives the server's password to every connection of the test file. */
export function usePostgresPassword(): void {
  const before = process.env.PGPASSWORD;
  beforeAll(() => {
    process.env.PGPASSWORD = postgresPassword;
  });
  afterAll(() => {
    if (before === undefined) delete process.env.PGPASSWORD;
    else process.env.PGPASSWORD = before;
  });
}

/** Starts one server for the tests of a suite. Call it inside `describe`. */
export function usePostgres(): () => PostgresServer {
  let server: PostgresServer | undefined;
  usePostgresPassword();
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.remove());
  return () => server!;
}

/** Opens a database for the running test. */
export async function openTestDatabase(
  url: string,
  options: Omit<DatabaseOptions, "url"> = {},
): Promise<Database> {
  const database = await openDatabase({ url, ...options });
  onTestFinished(() => database.close());
  return database;
}
