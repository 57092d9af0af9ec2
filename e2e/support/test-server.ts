// The PostgreSQL server of a whole test run: started once, and found by the run's processes through their environment.
import { migrateServiceCatalog } from "../../electron/catalog/postgres/open-service-catalog.ts";
import {
  postgresPassword,
  PostgresServer,
  startPostgres,
} from "../../electron/support/engines/postgres-server.ts";
import { hasTwoReaders } from "./two-readers.ts";

const variables = { port: "ECHOTOP_TEST_POSTGRES_PORT", template: "ECHOTOP_TEST_POSTGRES_TEMPLATE" } as const;
/** Enough for the readers of several tests at a time. */
const settings = { max_connections: "300" };

export interface TestServer {
  readonly server: PostgresServer;
  /** Migrated database to copy. */
  readonly template: string;
}

/** Starts the server of a run, if two readers can be started. Returns the function that removes it. */
export default async function startTestServer(): Promise<() => Promise<void>> {
  if (!hasTwoReaders) return () => Promise.resolve();
  const server = await startPostgres({ settings });
  process.env.PGPASSWORD = postgresPassword;
  const template = await server.createDatabase();
  await migrateServiceCatalog({ url: server.url(template) });
  process.env[variables.port] = String(server.port);
  process.env[variables.template] = template;
  return () => server.remove();
}

/** Returns the server of this run. */
export function findTestServer(): TestServer {
  const { [variables.port]: port, [variables.template]: template } = process.env;
  if (port === undefined || template === undefined) throw new Error("This run has no PostgreSQL server.");
  return { server: new PostgresServer("", Number(port)), template };
}
