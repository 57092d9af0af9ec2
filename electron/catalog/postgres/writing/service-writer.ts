// Writes the catalog of a service: each function is one transaction, except for retention.
import type { Database } from "../../../platform/postgres/database.ts";
import type { AdoptOutcome, CatalogWriter } from "../../catalog.ts";
import { parseInstant } from "../../plans/instants.ts";
import type { Lease } from "../leases/leases.ts";
import { forgetUnshown, pruneService, type SweepObjects } from "./prune-service.ts";
import { findLayersOfWindow, findNewestMessage, isRepeatedAsset } from "./published-state.ts";
import { createCommit } from "./service-transaction.ts";
import { writeAdoption, writeEventAdoption } from "./write-adoption.ts";
import { appendOnce, writeAssetChange, writeDiscoveries } from "./write-assets.ts";
import { writeArchiving, writeCompletion, writeRegistration, writeRemoval } from "./write-events.ts";
import { writePublication } from "./write-publication.ts";
import { writeReplayStep } from "./write-replay.ts";
import { writeKeptOverlay } from "./write-overlays.ts";
import { writeSavedSteps } from "./write-steps.ts";

export interface ServiceWriterOptions {
  readonly sweep: SweepObjects;
  /** Lease without which nothing may be written. */
  readonly lease?: Lease | undefined;
}

export function createServiceWriter(
  database: Database,
  { sweep, lease }: ServiceWriterOptions,
): CatalogWriter {
  const commit = createCommit(database, lease);
  const { read } = database;
  return {
    discoverAssets: async (drafts) =>
      drafts.length === 0 ? [] : commit("durable", (query) => writeDiscoveries(query, drafts)),
    updateAsset: (id, change) => {
      const isLast = change.status === "complete" || change.status === "failed";
      return commit(isLast ? "durable" : "lazy", (query) => writeAssetChange(query, id, change));
    },
    findWindowLayers: (eventId, window) => findLayersOfWindow(read, eventId, window),
    findPublishedMessage: async (eventId, productId, observedAt) =>
      findNewestMessage(read, eventId, { productId, observedAtMs: parseInstant(observedAt) }),
    isRepeated: (assetId, bytes) => isRepeatedAsset(read, assetId, bytes),
    publish: (draft) => commit("durable", (query) => writePublication(query, draft)),
    registerEvent: (registration) => commit("durable", (query) => writeRegistration(query, registration)),
    completeEvent: (eventId, { registered = false } = {}) =>
      commit("durable", (query) => writeCompletion(query, eventId, registered)),
    archiveEvent: (eventId) => commit("durable", (query) => writeArchiving(query, eventId)),
    removeEvent: (eventId) => commit("durable", (query, isAgain) => writeRemoval(query, eventId, isAgain)),
    adoptEvent: (mirrorOf, event) => commit("durable", (query) => writeEventAdoption(query, mirrorOf, event)),
    adopt: (draft) => commit("durable", (query) => writeAdoption(query, draft)),
    adoptAll: async (drafts) =>
      drafts.length === 0
        ? []
        : commit("durable", async (query) => {
            const outcomes: AdoptOutcome[] = [];
            for (const draft of drafts) outcomes.push(await writeAdoption(query, draft));
            return outcomes;
          }),
    republish: (draft) => commit("durable", (query, isAgain) => writeReplayStep(query, draft, isAgain)),
    prune: (eventId, keepMs) => pruneService(commit, sweep, { eventId, keepMs }),
    discardSources: async (sha256s) => {
      if (sha256s.length === 0) return 0;
      const forgotten = await commit("durable", (query) => forgetUnshown(query, sha256s));
      await sweep();
      return forgotten.size;
    },
    appendFeedLog: async (entries) => {
      if (entries.length > 0) await commit("lazy", appendOnce(entries));
    },
    saveSteps: (draft) => commit("durable", (query) => writeSavedSteps(query, draft)),
    keepOverlay: (draft) => commit("durable", (query) => writeKeptOverlay(query, draft)),
  };
}
