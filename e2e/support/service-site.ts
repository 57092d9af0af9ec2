// A service for tests: a database of its own on a real server, a place for objects, and the configuration of both.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createFolderObjectStore } from "../../electron/catalog/objects/engines/folder-object-store.ts";
import type { ServiceLocation } from "../../electron/catalog/stores/located-stores.ts";
import type { PostgresServer } from "../../electron/support/engines/postgres-server.ts";
import { runCommand, type FinishedCommand } from "../../electron/support/host-process.ts";

/** The key `objects` of the configuration. */
export interface ObjectsKey {
  readonly url: string;
  readonly endpoint?: string;
  readonly path_style?: boolean;
}

export interface ServiceSite {
  readonly folder: string;
  readonly server: PostgresServer;
  readonly database: string;
  readonly objects: ObjectsKey;
  /** Configuration file of the service. */
  readonly config: string;
  /** The stores, for a process of the test itself. */
  readonly location: ServiceLocation;
  /** Frames, if objects are in a folder. */
  readonly framesFolder: string;
  /** Writes another configuration file; its keys replace those of the service. */
  readonly writeConfig: (name: string, keys: Readonly<Record<string, unknown>>) => string;
  /** Runs a command on the service. */
  readonly run: (...args: readonly string[]) => Promise<FinishedCommand>;
}

export interface SiteOptions {
  /** For configuration files and scratch; the caller removes it. */
  readonly folder: string;
  readonly server: PostgresServer;
  /** Database to copy; an empty one unless given. */
  readonly template?: string;
  /** A folder unless given. */
  readonly objects?: ObjectsKey | undefined;
}

export async function createServiceSite({
  folder,
  server,
  template,
  objects: givenObjects,
}: SiteOptions): Promise<ServiceSite> {
  const database = await server.createDatabase(template);
  const objects = givenObjects ?? (await makeObjectsFolder(folder, template !== undefined));
  const catalogUrl = server.url(database);
  const writeConfig: ServiceSite["writeConfig"] = (name, keys) => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify({ catalog: { url: catalogUrl }, objects, ...keys }));
    return file;
  };
  const config = writeConfig("service", {});
  const { url, endpoint, path_style: pathStyle = false } = objects;
  return {
    ...{ folder, server, database, objects, config, writeConfig },
    location: {
      kind: "service",
      catalogUrl,
      objects: { url, endpoint, pathStyle },
      scratchFolder: join(folder, "scratch"),
    },
    framesFolder: url.startsWith("file:") ? join(fileURLToPath(url), "objects", "frames") : "",
    run: (...args) => runCommand([...args, "--config", config]),
  };
}

/** `isPrepared` as by `echotop migrate`. */
async function makeObjectsFolder(folder: string, isPrepared: boolean): Promise<ObjectsKey> {
  const path = join(folder, "objects");
  mkdirSync(path);
  if (isPrepared) await createFolderObjectStore({ folder: path }).prepare();
  return { url: pathToFileURL(path).href };
}
