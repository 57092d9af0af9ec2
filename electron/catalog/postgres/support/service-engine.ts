// PostgreSQL and an object store as an engine of the contract.
import type { PostgresServer } from "../../../support/engines/postgres-server.ts";
import { sha256Of } from "../../../platform/sha256.ts";
import type { CatalogEngine } from "../../contract/catalog-engine.ts";
import type { ObjectStore } from "../../objects/object-store.ts";
import { temporaryDirectory } from "../../support/drafts.ts";
import { openServiceStores, type ServiceStores } from "../open-service-stores.ts";
import { createServiceTrial, type ServiceTrial } from "./service-trial.ts";

/** `objects` is a folder unless given. */
export function serviceEngine(
  name: string,
  server: () => PostgresServer,
  objects?: () => ObjectStore,
): CatalogEngine {
  return {
    name,
    createPlace: async () => {
      const trial = await createServiceTrial(server());
      const scratchFolder = await temporaryDirectory();
      const options = { url: trial.url, objects: objects?.() ?? trial.objects, scratchFolder };
      const open = (): Promise<ServiceStores> => openServiceStores({ ...options, frameCacheByteLimit: 0 });
      return {
        open,
        openReadable: open,
        setClock: trial.setClock,
        findFaults: async () => {
          const stores = await open();
          try {
            return await findFaults(trial, stores);
          } finally {
            await stores.close();
          }
        },
      };
    },
  };
}

/** Checks what no constraint of the database does. */
async function findFaults({ database }: ServiceTrial, { frames }: ServiceStores): Promise<readonly string[]> {
  const faults: string[] = [];
  const revisions = await database.read<{ revision_id: string; manifest: Buffer; manifest_sha256: string }>(
    "SELECT revision_id, manifest, manifest_sha256 FROM revisions",
  );
  for (const { revision_id, manifest, manifest_sha256 } of revisions) {
    if (sha256Of(manifest) !== manifest_sha256) faults.push(`The manifest of ${revision_id} is damaged.`);
  }
  const layers = await database.read<{ frame_id: string }>("SELECT DISTINCT frame_id FROM revision_layers");
  for (const { frame_id } of layers) {
    if ((await frames.read(frame_id)) === undefined) faults.push(`The frame ${frame_id} is lost.`);
  }
  const events = await database.read<{ id: string }>(`
    SELECT id FROM events e WHERE current_revision_id IS DISTINCT FROM
      (SELECT revision_id FROM revisions WHERE event_id = e.id ORDER BY sequence DESC LIMIT 1)
      OR last_sequence < (SELECT max(sequence) FROM revisions WHERE event_id = e.id)`);
  return [...faults, ...events.map(({ id }) => `The event ${id} shows another revision than its newest.`)];
}
