// Opens the stores of a service: its catalog in PostgreSQL, and its bytes in a bucket or in a folder that all machines
// share. Loaded only where a service is configured; the desktop's bundle leaves this file out.
import { fileURLToPath } from "node:url";
import { openDatabase, type Database, type DatabaseOptions } from "../../platform/postgres/database.ts";
import type { FrameStore } from "../files/frame-store.ts";
import { openStaging } from "../files/staging-folder.ts";
import { createFolderObjectStore } from "../objects/engines/folder-object-store.ts";
import { openObjectFrameStore } from "../objects/object-frame-store.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { openS3ObjectStore } from "../objects/engines/s3-object-store.ts";
import { migrateServiceCatalog } from "../postgres/open-service-catalog.ts";
import { openServiceStores } from "../postgres/open-service-stores.ts";
import { createPostgresBlobIndex } from "../postgres/postgres-blob-index.ts";
import { checkServiceSchema, type MigrationOutcome } from "../postgres/schema/service-schema.ts";
import type { ObjectsLocation, ServiceLocation, Stores } from "./located-stores.ts";

interface CacheOptions {
  /** Most bytes of frames to cache in memory, default 64 MiB; 0 also leaves the scratch folder empty. */
  readonly cacheByteLimit?: number | undefined;
}

/** @throws AppError, one line that names the key of the configuration and says what to do */
export async function openService(
  { catalogUrl: url, objects: objectsLocation, scratchFolder }: ServiceLocation,
  { cacheByteLimit }: CacheOptions,
): Promise<Stores> {
  const objects = await openObjects(objectsLocation);
  const scratchByteLimit = cacheByteLimit === 0 ? 0 : undefined;
  const options = { scratchFolder, frameCacheByteLimit: cacheByteLimit, scratchByteLimit };
  let stores: Stores | undefined;
  try {
    stores = await openServiceStores({ url, objects, ...options });
    await objects.check();
    const staging = await openStaging(stores.stagingFolder);
    return {
      ...stores,
      close: async () => {
        staging.close();
        await closeInOrder(stores!, objects);
      },
    };
  } catch (error) {
    await closeInOrder(...(stores ? [stores] : []), objects);
    throw error;
  }
}

/** Opens only the frames. @throws as `openService` does */
export async function openServiceFrames(
  { catalogUrl: url, objects: objectsLocation }: ServiceLocation,
  { cacheByteLimit }: CacheOptions,
): Promise<FrameStore> {
  const objects = await openObjects(objectsLocation);
  const database = await openDatabase({ url, connections: 1 });
  const frames = await openObjectFrameStore({
    ...{ objects, blobs: createPostgresBlobIndex(database) },
    ...(cacheByteLimit === undefined ? {} : { cacheByteLimit }),
  });
  return {
    put: (png) => frames.put(png),
    read: (frameId) => frames.read(frameId),
    close: () => closeInOrder(frames, database, objects),
  };
}

/** Opens the database for what a service keeps beside the catalog. @throws as `openService` does */
export async function openServiceDatabase(
  url: string,
  options: Omit<DatabaseOptions, "url"> = {},
): Promise<Database> {
  const database = await openDatabase({ url, ...options });
  try {
    await checkServiceSchema(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Creates the tables, or brings them to this program's version. @throws as `openService` does */
export async function migrateServiceStores({
  catalogUrl: url,
  objects: objectsLocation,
}: Pick<ServiceLocation, "catalogUrl" | "objects">): Promise<MigrationOutcome> {
  const objects = await openObjects(objectsLocation);
  try {
    // A wrong bucket is said before anything is written.
    await objects.prepare();
    return await migrateServiceCatalog({ url });
  } finally {
    await objects.close();
  }
}

/** Opens the object store of a service; sends nothing. */
export async function openObjects(location: ObjectsLocation): Promise<ObjectStore> {
  return location.url.startsWith("file:")
    ? createFolderObjectStore({ folder: fileURLToPath(location.url) })
    : openS3ObjectStore(location);
}

async function closeInOrder(...parts: readonly { close(): Promise<void> }[]): Promise<void> {
  const [first, ...others] = parts;
  try {
    await first?.close();
  } finally {
    if (others.length > 0) await closeInOrder(...others);
  }
}
