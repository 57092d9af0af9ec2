// The contract served by two readers of a service behind a balancer; the test's process is a third one of the service.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openStores } from "../../electron/catalog/stores/open-stores.ts";
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import type { BalancedUnit } from "../support/balancer.ts";
import { createServiceSite } from "../support/service-site.ts";
import { findTestServer } from "../support/test-server.ts";
import { TwoReaders } from "../support/two-readers.ts";
import type { ContractPlace } from "./contract-place.ts";

/** `keys` are added to the readers' configuration. */
export async function serveBalanced(
  unit: BalancedUnit,
  keys: Readonly<Record<string, unknown>> = {},
): Promise<ContractPlace> {
  const directory = makeTemporaryDirectory("contract");
  const site = await createServiceSite({ folder: directory, ...findTestServer() });
  const readers = await TwoReaders.start(site, { unit, keys });
  const stores = await openStores(site.location, { now: () => new Date() });
  let damaging: Promise<unknown> | undefined;
  return {
    host: { ...readers.each[0], origin: readers.origin, stderr: () => readers.stderr() },
    ...{ stores, directory },
    damageManifest({ eventId, revisionId }, bytes, hash) {
      const set = `manifest = '\\x${Buffer.from(bytes).toString("hex")}'`;
      const sql = `UPDATE revisions SET ${set}${hash === undefined ? "" : `, manifest_sha256 = '${hash}'`}
        WHERE event_id = '${eventId}' AND revision_id = '${revisionId}'`;
      damaging = Promise.all([damaging, site.server.query(sql, site.database)]);
    },
    frameFile(frameId) {
      damaging ??= Promise.resolve();
      const folder = join(site.framesFolder, frameId.slice(0, 2));
      return join(
        folder,
        readdirSync(folder).find((name) => name.startsWith(frameId))!,
      );
    },
    /** Readers keep what never changes, so they start again, with nothing kept. */
    async whenSeen() {
      if (damaging === undefined) return;
      await damaging;
      damaging = undefined;
      await readers.restart();
    },
    async stop() {
      await stores.close();
      await readers.stop();
      removeDirectory(directory);
    },
  };
}
