// Two readers of a service as its operators run them, and a writer that publishes into it.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openStores } from "../../../electron/catalog/stores/open-stores.ts";
import type { Stores } from "../../../electron/catalog/stores/located-stores.ts";
import { pictureOf } from "../../../electron/catalog/support/pictures.ts";
import { startHost, type RunningHost } from "../../../electron/support/host-process.ts";
import type { PostgresServer } from "../../../electron/support/engines/postgres-server.ts";
import type { RevisionRecord } from "../../../electron/catalog/catalog.ts";
import { createServiceSite } from "../../support/service-site.ts";
import { toServiceDraft } from "./crowded-database.ts";

export interface TwoReaders {
  readonly readers: readonly [RunningHost, RunningHost];
  /** Publishes the next window of an event, each with a picture of its own. */
  readonly publish: (eventId: string) => Promise<RevisionRecord>;
  readonly close: () => Promise<void>;
}

export async function startTwoReaders(folder: string, server: PostgresServer): Promise<TwoReaders> {
  const site = await createServiceSite({ folder, server });
  const { status, stderr } = await site.run("migrate");
  if (status !== 0) throw new Error(stderr);
  const config = site.writeConfig("reader", { roles: ["reader"] });
  const start = async (name: string): Promise<RunningHost> => {
    await mkdir(join(folder, name));
    return startHost(join(folder, name), ["--config", config]);
  };
  const readers = await Promise.all([start("one"), start("two")]);
  const stores = await openStores(site.location, { now: () => new Date() });
  let published = 0;
  return {
    readers,
    publish: (eventId) => publish(stores, eventId, (published += 1)),
    close: async () => {
      await stores.close();
      await Promise.all(readers.map((reader) => reader.kill()));
    },
  };
}

async function publish(stores: Stores, eventId: string, window: number): Promise<RevisionRecord> {
  const frameId = await stores.frames.put(pictureOf(window));
  const draft = toServiceDraft(eventId, window);
  const { revision } = await stores.catalog.publish({
    ...draft,
    layers: draft.layers.slice(0, 1).map((layer) => ({ ...layer, frameId })),
  });
  return revision!;
}
