// A service on real engines for one test file, and its readers.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { usePostgres } from "../../electron/platform/postgres/support/test-server.ts";
import {
  makeTemporaryDirectory,
  removeDirectory,
  startHost,
  type RunningHost,
} from "../../electron/support/host-process.ts";
import { createServiceSite, type ObjectsKey, type ServiceSite } from "../support/service-site.ts";

export type { ObjectsKey };

export interface ServiceTrial extends ServiceSite {
  /** Starts a reader with a folder of its own; stopped with the test file. */
  readonly startReader: (name: string) => Promise<RunningHost>;
}

/** Starts the engines for the tests of a suite; objects are in a folder unless given. Call it inside `describe`. */
export function useService(startObjects?: (folder: string) => Promise<ObjectsKey>): () => ServiceTrial {
  const server = usePostgres();
  const folder = makeTemporaryDirectory("service");
  const readers: RunningHost[] = [];
  let trial: ServiceTrial | undefined;
  beforeAll(async () => {
    const objects = await startObjects?.(folder);
    const site = await createServiceSite({ folder, server: server(), objects });
    trial = {
      ...site,
      async startReader(name) {
        const scratch = join(folder, name);
        mkdirSync(scratch);
        const reader = await startHost(scratch, ["--config", site.config]);
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
