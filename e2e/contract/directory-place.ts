// The contract served by one process from a data directory.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { dataDirectory, frameLocation } from "../../electron/catalog/files/data-directory.ts";
import { atDirectory } from "../../electron/catalog/stores/located-stores.ts";
import { openStores } from "../../electron/catalog/stores/open-stores.ts";
import { makeTemporaryDirectory, removeDirectory, startHost } from "../../electron/support/host-process.ts";
import type { ContractPlace } from "./contract-place.ts";

export async function serveDirectory(configuration: unknown): Promise<ContractPlace> {
  const directory = makeTemporaryDirectory("contract");
  const { catalogFile, framesFolder } = dataDirectory(directory);
  const file = join(directory, "configuration.json");
  const args = configuration === undefined ? [] : ["--config", file];
  if (configuration !== undefined) writeFileSync(file, JSON.stringify(configuration));
  const host = await startHost(directory, args);
  const stores = await openStores(atDirectory(directory), { now: () => new Date() });
  return {
    ...{ host, stores, directory },
    damageManifest({ eventId, revisionId }, bytes, hash) {
      const database = new DatabaseSync(catalogFile);
      const sql = `UPDATE revisions SET manifest = ?, manifest_sha256 = coalesce(?, manifest_sha256)
        WHERE event_id = ? AND revision_id = ?`;
      database.prepare(sql).run(bytes, hash ?? null, eventId, revisionId);
      database.close();
    },
    frameFile: (frameId) => frameLocation(framesFolder, frameId).file,
    whenSeen: () => Promise.resolve(),
    async stop() {
      await stores.close();
      await host.stop();
      removeDirectory(directory);
    },
  };
}
