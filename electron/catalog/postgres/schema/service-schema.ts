// The schema of a service's database: its numbered migrations. A migration only adds what the new program needs and the
// old one ignores (expand); what nobody uses any more is removed by the migration after it (contract). So programs of
// two neighboring versions work on one database, and an upgrade stops nothing.
import { AppError } from "../../../../shared/app-error.ts";
import type { Database, Session } from "../../../platform/postgres/database.ts";
import { firstService } from "./0001-service.ts";
import { secondService } from "./0002-backfills.ts";
import { thirdService } from "./0003-feed-reports.ts";
import { controlPlane } from "./0004-gateway.ts";
import { briefingSteps } from "./0005-steps.ts";
import { keptOverlays } from "./0006-overlays.ts";
import type { ServiceMigration } from "./service-migration.ts";

export const serviceMigrations: readonly ServiceMigration[] = [
  firstService,
  secondService,
  thirdService,
  controlPlane,
  briefingSteps,
  keptOverlays,
];

/** Key of the advisory lock of migrations ("Echo" in ASCII). */
const migrationLock = 0x4563686f;

export interface MigrationOutcome {
  /** 0 for an empty database. */
  readonly from: number;
  readonly to: number;
}

/**
 * Brings the database to the newest version; safe while others do the same and while the service runs.
 * @throws AppError `conflict` for a database of a newer version, which stays unchanged
 */
export function migrateService(
  database: Database,
  migrations: readonly ServiceMigration[] = serviceMigrations,
): Promise<MigrationOutcome> {
  return database.transact("durable", async (session) => {
    await session.query("SELECT pg_advisory_xact_lock($1)", [migrationLock]);
    const from = await readSchemaVersion(session.query);
    const to = newestOf(migrations);
    if (from > to) throw newer(from, to);
    await session.query("CREATE TABLE IF NOT EXISTS catalog_schema (version int NOT NULL)");
    for (const { version, sql } of migrations) {
      if (version > from) await session.execute(sql);
    }
    await session.query("DELETE FROM catalog_schema");
    await session.query("INSERT INTO catalog_schema VALUES ($1)", [to]);
    return { from, to };
  });
}

/**
 * Checks that this program works with the database: its own version or the one before.
 * @throws AppError `conflict` that says what to do
 */
export async function checkServiceSchema(
  database: Database,
  migrations: readonly ServiceMigration[] = serviceMigrations,
): Promise<void> {
  const present = await readSchemaVersion(database.read);
  const newest = newestOf(migrations);
  if (present > newest) throw newer(present, newest);
  if (present > 0 && present >= newest - 1) return;
  const state = present === 0 ? "has no catalog yet" : `has a catalog of version ${present}`;
  throw new AppError("conflict", `The database of \`catalog.url\` ${state}: run echotop migrate.`);
}

function newestOf(migrations: readonly ServiceMigration[]): number {
  return migrations.at(-1)!.version;
}

async function readSchemaVersion(query: Session["query"]): Promise<number> {
  const [found] = await query<{ found: boolean }>(
    "SELECT to_regclass('catalog_schema') IS NOT NULL AS found",
  );
  if (found?.found !== true) return 0;
  const [row] = await query<{ version: number }>("SELECT version FROM catalog_schema");
  return row?.version ?? 0;
}

function newer(present: number, newest: number): AppError {
  return new AppError(
    "conflict",
    `The database of \`catalog.url\` has version ${present}, made by a newer Echotop; this one knows versions up to ` +
      `${newest}. Update this one.`,
  );
}
