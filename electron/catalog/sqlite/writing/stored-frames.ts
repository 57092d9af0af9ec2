// Looks at the frames of a publication before its transaction, and verifies inside it that none was removed since: no
// file was forgotten meanwhile, and none of the frames waits to be removed. One that waits may be gone already, if the
// process that removed it was killed before its commit.
import type { PublishedLayer } from "../../catalog.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import type { Commit } from "../catalog-database.ts";
import type { Prepare } from "../queries.ts";

/** Returns the stored ones among the frames of layers. Call it only in the transaction that it was made for. */
export type StoredAmong = (layers: readonly PublishedLayer[]) => ReadonlySet<string>;

/** Looks at the frames of `layers`, then runs `write`, and repeats both while frames must be looked at again. */
export type WithFrames = <Result>(
  layers: readonly PublishedLayer[],
  write: (storedAmong: StoredAmong) => Promise<Result>,
) => Promise<Result>;

/** Rolls back a transaction that needs frames that were not looked at, or may have been removed since. */
class UnseenFrames extends Error {
  readonly frameIds: readonly string[];

  constructor(frameIds: readonly string[]) {
    super("Frames were not looked at.");
    this.frameIds = frameIds;
  }
}

interface RemovalRow {
  readonly removal_version: number;
  /** 1 if frames wait to be removed. */
  readonly has_condemned: number;
}

export function createFrameLooks(prepare: Prepare, files: StoredFiles, commit: Commit): WithFrames {
  const removals = prepare<RemovalRow>(`
    SELECT removal_version, EXISTS (SELECT 1 FROM condemned_files WHERE kind = 'frame') AS has_condemned
      FROM catalog_state`);
  const condemned = prepare("SELECT 1 FROM condemned_files WHERE kind = 'frame' AND name = ?");
  const isCondemned = (frameId: string): boolean => condemned.first(frameId) !== undefined;
  const spare = prepare("DELETE FROM condemned_files WHERE kind = 'frame' AND name = ?");
  /** Version of the last transaction: an old one only repeats the look. */
  let knownVersion = removals.first()?.removal_version;

  return async (layers, write) => {
    const wanted = new Set(layers.map(({ frameId }) => frameId));
    for (;;) {
      const seenVersion = knownVersion;
      const isStored = new Map<string, boolean>();
      for (const frameId of wanted) isStored.set(frameId, await files.hasFrame(frameId));
      try {
        return await write((asked) => {
          const frameIds = asked.map(({ frameId }) => frameId);
          const present = removals.first();
          knownVersion = present?.removal_version;
          const isSeen = (frameId: string): boolean =>
            isStored.has(frameId) && (present?.has_condemned === 0 || !isCondemned(frameId));
          if (knownVersion !== seenVersion || !frameIds.every(isSeen)) throw new UnseenFrames(frameIds);
          return new Set(frameIds.filter((frameId) => isStored.get(frameId)));
        });
      } catch (error) {
        if (!(error instanceof UnseenFrames)) throw error;
        for (const frameId of error.frameIds) wanted.add(frameId);
      }
      const endangered = [...wanted].filter(isCondemned);
      if (endangered.length > 0)
        await commit("lazy", () => {
          for (const frameId of endangered) spare.run(frameId);
        });
    }
  };
}
