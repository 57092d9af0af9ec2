// Opens the catalog of a service: PostgreSQL for events, revisions and the index of blobs; an object store for bytes.
import { openDatabase, type DatabaseOptions } from "../../platform/postgres/database.ts";
import type { Catalog } from "../catalog.ts";
import type { BackfillQueue } from "../stores/backfill-queue.ts";
import type { BlobIndex } from "../objects/blob-index.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { removeCondemned } from "../objects/sweep-objects.ts";
import { createPostgresBackfillQueue } from "./backfill/postgres-backfill-queue.ts";
import { createFeedReports, type FeedReports } from "./leases/feed-reports.ts";
import { createLeases, type Lease, type Leases } from "./leases/leases.ts";
import { createPostgresBlobIndex } from "./postgres-blob-index.ts";
import { createChangeWatch } from "./reading/change-watch.ts";
import { createServiceReader } from "./reading/service-reader.ts";
import { createServiceWorkReader } from "./reading/service-work-reader.ts";
import { checkServiceSchema, migrateService, type MigrationOutcome } from "./schema/service-schema.ts";
import { createServiceWriter } from "./writing/service-writer.ts";

export interface ServiceCatalogOptions extends DatabaseOptions {
  /** Store of the blobs, from which retention deletes. */
  readonly objects: ObjectStore;
}

export interface ServiceCatalog extends Catalog {
  readonly blobs: BlobIndex;
  readonly leases: Leases;
  readonly feedReports: FeedReports;
  readonly backfills: BackfillQueue;
  /** Returns the same catalog, whose writes fail with `conflict` once another process has taken the lease over. */
  underLease(lease: Lease): Catalog;
}

/** @throws AppError that names `catalog.url` and says what to do */
export async function openServiceCatalog({
  objects,
  ...options
}: ServiceCatalogOptions): Promise<ServiceCatalog> {
  const database = await openDatabase(options);
  try {
    await checkServiceSchema(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  const changes = createChangeWatch(database);
  const blobs = createPostgresBlobIndex(database);
  const sweep = async (): Promise<void> => {
    await removeCondemned({ objects, blobs });
  };
  const leases = createLeases(database);
  let closed: Promise<void> | undefined;
  const catalog: Catalog = {
    ...createServiceReader(database, changes),
    ...createServiceWorkReader(database),
    ...createServiceWriter(database, { sweep }),
    close: () => (closed ??= changes.close().then(() => database.close())),
  };
  return {
    ...catalog,
    blobs,
    leases,
    feedReports: createFeedReports(database),
    backfills: createPostgresBackfillQueue(database, leases),
    underLease: (lease) => ({ ...catalog, ...createServiceWriter(database, { sweep, lease }) }),
  };
}

/** Brings the database of a service to the newest version, from an empty one too. */
export async function migrateServiceCatalog(options: DatabaseOptions): Promise<MigrationOutcome> {
  const database = await openDatabase(options);
  try {
    return await migrateService(database);
  } finally {
    await database.close();
  }
}
