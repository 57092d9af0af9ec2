// A service as a side of a copy. Loaded only where a service is configured.
import { openDatabase, type Database } from "../../platform/postgres/database.ts";
import { createBlobStore } from "../objects/blob-store.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { createServiceRowWriter } from "../postgres/copying/service-row-writer.ts";
import { createServiceRows } from "../postgres/copying/service-rows.ts";
import { createPostgresBlobIndex } from "../postgres/postgres-blob-index.ts";
import { checkServiceSchema } from "../postgres/schema/service-schema.ts";
import type { ServiceLocation } from "../stores/located-stores.ts";
import { openObjects } from "../stores/service-stores.ts";
import type { CopyTarget } from "./copied-places.ts";

export interface OpenedService {
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly close: () => Promise<void>;
}

/** @throws AppError, one line that names the key of the configuration and says what to do */
export async function openServiceParts(
  location: Pick<ServiceLocation, "catalogUrl" | "objects">,
): Promise<OpenedService> {
  const objects = await openObjects(location.objects);
  let database: Database | undefined;
  const close = async (): Promise<void> => {
    await database?.close();
    await objects.close();
  };
  try {
    database = await openDatabase({ url: location.catalogUrl });
    await checkServiceSchema(database);
    await objects.check();
    return { database, objects, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws as `openServiceParts` does */
export async function openServicePlace(location: ServiceLocation): Promise<CopyTarget> {
  const { database, objects, close } = await openServiceParts(location);
  const blobs = createPostgresBlobIndex(database);
  const stores = {
    frames: createBlobStore({ objects, blobs, kind: "frames" }),
    sources: createBlobStore({ objects, blobs, kind: "sources" }),
  };
  return {
    rows: createServiceRows(database),
    writer: createServiceRowWriter(database),
    read: (kind, sha256) => stores[kind].read(sha256),
    findStored: async (_kind, sha256s) => new Set((await blobs.findAll(sha256s)).keys()),
    put: async (kind, bytes) => void (await stores[kind].put(bytes)),
    close,
  };
}
