// Databases of a service as places of the gateway's settings and log.
import { onTestFinished } from "vitest";
import { createServiceTrial } from "../../../catalog/postgres/support/service-trial.ts";
import { openDatabase, type Database } from "../../../platform/postgres/database.ts";
import type { PostgresServer } from "../../../support/engines/postgres-server.ts";
import { openServiceSettings } from "../postgres/service-settings.ts";
import type { SettingsPlace } from "./settings-contract.ts";

/** Opens a database as a process of its own would. */
export async function openOwnDatabase(url: string): Promise<Database> {
  const patienceMs = { read: 1_000, transact: 1_000 };
  const database = await openDatabase({ url, connections: 4, patienceMs });
  onTestFinished(() => database.close());
  return database;
}

export async function createSettingsPlace(server: PostgresServer): Promise<SettingsPlace> {
  const { url, database } = await createServiceTrial(server);
  const run = (sql: string): Promise<void> => database.transact("durable", ({ execute }) => execute(sql));
  await run(`
    CREATE SEQUENCE test_seconds;
    CREATE OR REPLACE FUNCTION catalog_clock() RETURNS bigint LANGUAGE sql AS
      'SELECT ${Date.UTC(2026, 10, 20)} + 1000 * nextval(''test_seconds'')'`);
  return {
    open: async () => openServiceSettings(await openOwnDatabase(url), () => undefined),
    refuseChanges: () =>
      run(`
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''disk full''; END';
        CREATE TRIGGER no BEFORE INSERT ON gateway_audit FOR EACH ROW EXECUTE FUNCTION refuse()`),
  };
}
