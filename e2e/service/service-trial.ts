// A service on real engines for one test file: a database, a place for objects, and the configuration that names them.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { usePostgres } from "../../electron/platform/postgres/support/test-server.ts";
import type { PostgresServer } from "../../electron/support/engines/postgres-server.ts";
import {
  makeTemporaryDirectory,
  removeDirectory,
  runCommand,
  startHost,
  type FinishedCommand,
  type RunningHost,
} from "../../electron/support/host-process.ts";

/** The key `objects` of the configuration. */
export interface ObjectsKey {
  readonly url: string;
  readonly endpoint?: string;
  readonly path_style?: boolean;
}

export interface ServiceTrial {
  readonly folder: string;
  readonly server: PostgresServer;
  readonly objects: ObjectsKey;
  /** Configuration of a service on an empty database of its own. */
  readonly config: string;
  /** Writes another configuration file; its keys replace those of the service. */
  readonly writeConfig: (name: string, keys: Readonly<Record<string, unknown>>) => string;
  /** Runs a command on the service. */
  readonly run: (...args: readonly string[]) => Promise<FinishedCommand>;
  /** Starts a reader with a folder of its own; stopped with the test file. */
  readonly startReader: (name: string) => Promise<RunningHost>;
}

/** Starts the engines for the tests of a suite. Call it inside `describe`. */
export function useService(startObjects: (folder: string) => Promise<ObjectsKey>): () => ServiceTrial {
  const server = usePostgres();
  const folder = makeTemporaryDirectory("service");
  const readers: RunningHost[] = [];
  let trial: ServiceTrial | undefined;
  beforeAll(async () => {
    const objects = await startObjects(folder);
    const database = await server().createDatabase();
    const writeConfig: ServiceTrial["writeConfig"] = (name, keys) => {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify({ catalog: { url: server().url(database) }, objects, ...keys }));
      return file;
    };
    const config = writeConfig("service", {});
    trial = {
      ...{ folder, objects, config, writeConfig },
      server: server(),
      run: (...args) => runCommand([...args, "--config", config]),
      async startReader(name) {
        const scratch = join(folder, name);
        mkdirSync(scratch);
        const reader = await startHost(scratch, ["--config", config]);
        readers.push(reader);
        return reader;
      },
    };
  });
  afterAll(async () => {
    await Promise.all(readers.map((reader) => reader.stop()));
    removeDirectory(folder);
  });
  return () => trial!;
}
