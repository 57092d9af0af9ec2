// Writes the catalog: each function is one transaction, except for retention, and notifies this process's readers after
// the commit.
import type { DatabaseSync } from "node:sqlite";
import { createAdoption } from "./adoption.ts";
import { createAssets } from "../assets.ts";
import type { AdoptDraft, AdoptOutcome, CatalogWriter, PruneOutcome } from "../../catalog.ts";
import { writeTransaction, type Commit } from "../catalog-database.ts";
import { createOverlayWrites } from "../overlays-table.ts";
import { createStepsWrites } from "../steps-table.ts";
import { createEventWrites } from "./event-writes.ts";
import { createFeedLogWriter } from "../feed-log.ts";
import { parseInstant } from "../../plans/instants.ts";
import { checkAdoption } from "../../plans/plan-adoption.ts";
import { checkPublication } from "../../plans/plan-publication.ts";
import { createFrameLooks } from "./stored-frames.ts";
import { createPublication } from "./publish-revision.ts";
import { createPublished } from "./published-windows.ts";
import { answer, createPrepare } from "../queries.ts";
import { createRepublication } from "./republish-revision.ts";
import { createRetention, type Retention } from "./retention.ts";
import { withRetentionLock } from "../../files/directory-locks.ts";
import type { Snapshots } from "../reading/snapshots.ts";
import { toStorageError } from "../../../platform/disk/storage-error.ts";
import type { StoredFiles } from "../../files/stored-files.ts";

export interface WriterOptions {
  readonly now: () => Date;
  readonly files: StoredFiles;
  /** Lock file that retention takes exclusively. */
  readonly retentionLock: string;
}

export function createWriter(
  database: DatabaseSync,
  snapshots: Snapshots,
  { now, files, retentionLock }: WriterOptions,
): CatalogWriter {
  const commit: Commit = async (durability, body) => {
    let result;
    try {
      result = await writeTransaction(database, durability, body);
    } catch (error) {
      throw toStorageError(error, "The catalog could not be written");
    }
    snapshots.noteCommit();
    return result;
  };
  const prepare = createPrepare(database);
  const assets = createAssets(prepare);
  const published = createPublished(prepare);
  const withFrames = createFrameLooks(prepare, files, commit);
  const publication = createPublication(prepare);
  const events = createEventWrites(prepare);
  const adoption = createAdoption(prepare);
  const republish = createRepublication(prepare);
  const retention = createRetention(prepare, files);
  const appendFeedLog = createFeedLogWriter(prepare);
  const saveSteps = createStepsWrites(prepare);
  const keepOverlay = createOverlayWrites(prepare);
  const adoptAll = (drafts: readonly AdoptDraft[]): Promise<AdoptOutcome[]> => {
    const checked = drafts.map(checkAdoption);
    return withFrames(
      checked.flatMap(({ layers }) => layers),
      (storedAmong) => commit("durable", () => checked.map((each) => adoption.adopt(each, storedAmong))),
    );
  };
  return {
    discoverAssets: async (drafts) =>
      drafts.length === 0 ? [] : commit("durable", () => assets.discover(drafts)),
    updateAsset: (id, change) => {
      const isLast = change.status === "complete" || change.status === "failed";
      return commit(isLast ? "durable" : "lazy", () => {
        assets.update(id, change, now());
      });
    },
    findWindowLayers: (eventId, window) => answer(() => published.windowLayers(eventId, window)),
    findPublishedMessage: (eventId, productId, observedAt) =>
      answer(() => published.message(eventId, productId, parseInstant(observedAt))),
    isRepeated: (assetId, bytes) => answer(() => published.isRepeated(assetId, bytes)),
    publish: async (draft) => {
      const checked = checkPublication(draft);
      return withFrames(publication.probableLayers(checked), (storedAmong) =>
        commit("durable", () => publication.publish(checked, storedAmong, now())),
      );
    },
    registerEvent: (registration) => commit("durable", () => events.register(registration, now())),
    completeEvent: (eventId, { registered = false } = {}) =>
      commit("durable", () => {
        events.complete(eventId, registered, now());
      }),
    archiveEvent: (eventId) =>
      commit("durable", () => {
        events.archive(eventId, now());
      }),
    removeEvent: (eventId) =>
      commit("durable", () => {
        events.remove(eventId);
      }),
    adoptEvent: (mirrorOf, event) =>
      commit("durable", () => {
        adoption.adoptEvent(mirrorOf, event);
      }),
    adopt: async (draft) => (await adoptAll([draft]))[0]!,
    adoptAll: async (drafts) => (drafts.length === 0 ? [] : adoptAll(drafts)),
    republish: (draft) =>
      withFrames([], (storedAmong) => commit("durable", () => republish(draft, storedAmong, now()))),
    prune: async (eventId, keepMs) => {
      try {
        const outcome = await withRetentionLock(retentionLock, () =>
          prune(retention, commit, eventId, keepMs),
        );
        return outcome ?? { revisions: 0, frames: 0, sources: 0 };
      } catch (error) {
        throw toStorageError(error, "Old revisions could not be removed");
      }
    },
    discardSources: async (sha256s) =>
      sha256s.length === 0 ? 0 : commit("durable", () => retention.discardSources(sha256s)),
    appendFeedLog: async (entries) => {
      if (entries.length > 0)
        await commit("lazy", () => {
          appendFeedLog(entries);
        });
    },
    saveSteps: (draft) => commit("durable", () => saveSteps(draft, now())),
    keepOverlay: (draft) => commit("durable", () => keepOverlay(draft)),
  };
}

/** Lets other work run: a transaction that waits for nothing never yields to the event loop. */
function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function prune(
  retention: Retention,
  commit: Commit,
  eventId: string,
  keepMs: number,
): Promise<PruneOutcome> {
  const sum = { revisions: 0, frames: 0, sources: 0 };
  for (let hasMore = true; hasMore;) {
    const removed = await commit("durable", () => retention.removeRevisions(eventId, keepMs));
    sum.revisions += removed.revisions;
    hasMore = removed.hasMore;
    await yieldToOthers();
  }
  // Includes files that a crash left from an earlier call.
  for (let hasMore = true; hasMore;) {
    const cleared = await commit("durable", () => retention.clearFiles());
    sum.frames += cleared.frames;
    sum.sources += cleared.sources;
    hasMore = cleared.hasMore;
    await yieldToOthers();
  }
  return sum;
}
