// Catalogs on databases of a test server, whose clock a test can set.
import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import { openDatabase, type Database, type DatabaseOptions } from "../../../platform/postgres/database.ts";
import type { PostgresServer } from "../../../support/engines/postgres-server.ts";
import type { AdoptDraft, PublishDraft } from "../../catalog.ts";
import { createFolderObjectStore } from "../../objects/engines/folder-object-store.ts";
import type { ObjectStore } from "../../objects/object-store.ts";
import { startMs, temporaryDirectory } from "../../support/drafts.ts";
import { migrateServiceCatalog, openServiceCatalog, type ServiceCatalog } from "../open-service-catalog.ts";

export interface ServiceTrial {
  readonly objects: ObjectStore;
  readonly url: string;
  /** Runs SQL beside the catalog. */
  readonly database: Database;
  /** Stops the database's clock at an instant. */
  readonly setClock: (nowMs: number) => Promise<void>;
  /** Opens the catalog as another node would. */
  readonly open: (options?: Pick<DatabaseOptions, "patienceMs">) => Promise<ServiceCatalog>;
  /** Object keys that retention has deleted. */
  readonly deleted: string[];
}

const templates = new WeakMap<PostgresServer, Promise<string>>();

/** Returns a database with the tables of a service, to copy; created once for each server. */
async function findTemplate(server: PostgresServer): Promise<string> {
  const known = templates.get(server);
  if (known) return known;
  const created = server.createDatabase().then(async (name) => {
    await migrateServiceCatalog({ url: server.url(name) });
    return name;
  });
  templates.set(server, created);
  return created;
}

/** Creates a database with the tables of a service, for the running test. */
export async function createServiceTrial(
  server: PostgresServer,
  urlOf = (database: string): string => server.url(database),
): Promise<ServiceTrial> {
  const url = urlOf(await server.createDatabase(await findTemplate(server)));
  const database = await openDatabase({ url, connections: 2 });
  onTestFinished(() => database.close());
  const deleted: string[] = [];
  const folder = createFolderObjectStore({ folder: await temporaryDirectory() });
  const objects: ObjectStore = {
    ...folder,
    remove: async (keys) => {
      deleted.push(...keys);
      await folder.remove(keys);
    },
  };
  const setClock = async (nowMs: number): Promise<void> => {
    await database.transact("durable", ({ execute }) =>
      execute(
        `CREATE OR REPLACE FUNCTION catalog_clock() RETURNS bigint LANGUAGE sql AS 'SELECT ${nowMs}::bigint'`,
      ),
    );
  };
  await setClock(startMs + 3_600_000);
  const open: ServiceTrial["open"] = async (options) => {
    const catalog = await openServiceCatalog({ url, objects, ...options });
    onTestFinished(() => catalog.close());
    return catalog;
  };
  return { objects, url, database, setClock, open, deleted };
}

/** Returns a catalog in which every frame counts as stored: it is added to the index just before it is needed. */
export function assumeFrames(catalog: ServiceCatalog): ServiceCatalog {
  const store = async ({ layers }: PublishDraft | AdoptDraft): Promise<void> => {
    for (const { frameId } of layers) {
      await catalog.blobs.add(frameId, `frames/${frameId}.${randomUUID()}`, 1);
    }
  };
  return {
    ...catalog,
    publish: async (draft) => {
      await store(draft);
      return catalog.publish(draft);
    },
    adopt: async (draft) => {
      await store(draft);
      return catalog.adopt(draft);
    },
    adoptAll: async (drafts) => {
      for (const draft of drafts) await store(draft);
      return catalog.adoptAll(drafts);
    },
  };
}
