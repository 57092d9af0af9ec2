// Opens the database and the object store of a service themselves, for copies and verifications, which see every row
// and every object.
import { openDatabase, type Database } from "../../platform/postgres/database.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { checkServiceSchema } from "../postgres/schema/service-schema.ts";
import type { ServiceLocation } from "./located-stores.ts";
import { openObjects } from "./service-stores.ts";

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
