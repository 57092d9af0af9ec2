// Writing the catalog: each function is one transaction, and tells this process's readers once it is committed.
import type { DatabaseSync } from "node:sqlite";
import { createAssets } from "./assets.ts";
import type { CatalogWriter } from "./catalog.ts";
import { writeTransaction, type Durability } from "./database.ts";
import { parseInstant } from "./instants.ts";
import { createPublication } from "./publication.ts";
import { createPublished } from "./published.ts";
import { prepare } from "./queries.ts";
import type { Snapshots } from "./snapshots.ts";
import { toStorageError } from "./storage-error.ts";

export function createWriter(database: DatabaseSync, snapshots: Snapshots, now: () => Date): CatalogWriter {
  const assets = createAssets(database);
  const publish = createPublication(database);
  const published = createPublished(database);
  const complete = prepare<{ id: string }>(
    database,
    `UPDATE events SET status = 'complete', updated_at = max(updated_at, ?)
       WHERE id = ? AND kind = 'historical-event' AND status = 'active' RETURNING id`,
  );
  const noteContent = prepare(database, "UPDATE catalog_state SET content_version = content_version + 1");

  const commit = async <Result>(durability: Durability, body: () => Result): Promise<Result> => {
    let result: Result;
    try {
      result = await writeTransaction(database, durability, body);
    } catch (error) {
      throw toStorageError(error, "The catalog could not be written");
    }
    snapshots.noteCommit();
    return result;
  };

  return {
    discoverAssets: async (drafts) =>
      drafts.length === 0 ? [] : commit("durable", () => assets.discover(drafts)),
    updateAsset: async (id, change) => {
      const isLast = change.status === "complete" || change.status === "failed";
      await commit(isLast ? "durable" : "lazy", () => {
        assets.update(id, change, now());
      });
    },
    findWindowLayers: (eventId, window) =>
      new Promise((resolve) => {
        resolve(published.windowLayers(eventId, window));
      }),
    findPublishedMessage: (eventId, productId, observedAt) =>
      new Promise((resolve) => {
        resolve(published.message(eventId, productId, parseInstant(observedAt)));
      }),
    publish: (draft) => commit("durable", () => publish(draft, now())),
    completeEvent: async (eventId) => {
      await commit("durable", () => {
        if (complete.first(now().getTime(), eventId)) noteContent.run();
      });
    },
  };
}
