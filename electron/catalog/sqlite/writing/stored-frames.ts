// Looks at the frames of a publication before its transaction. The lock of the publications covers look and commit, so
// no frame is removed meanwhile.
import type { PublishedLayer } from "../../catalog.ts";
import type { PublicationLock } from "../../files/directory-locks.ts";
import type { StoredFiles } from "../../files/stored-files.ts";

/** Returns the stored ones among the frames of layers. Call it only in the transaction that it was made for. */
export type StoredAmong = (layers: readonly PublishedLayer[]) => ReadonlySet<string>;

/** Looks at the frames of `layers`, then runs `write`, and repeats both while `write` asks for other frames. */
export type WithFrames = <Result>(
  layers: readonly PublishedLayer[],
  write: (storedAmong: StoredAmong) => Promise<Result>,
) => Promise<Result>;

/** Rolls back a transaction that needs frames that were not looked at. */
class UnseenFrames extends Error {
  readonly frameIds: readonly string[];

  constructor(frameIds: readonly string[]) {
    super("Frames were not looked at.");
    this.frameIds = frameIds;
  }
}

export function createFrameLooks(files: StoredFiles, lock: PublicationLock): WithFrames {
  return (layers, write) =>
    lock.hold(async () => {
      const isStored = new Map<string, boolean>();
      const storedAmong: StoredAmong = (asked) => {
        const frameIds = asked.map(({ frameId }) => frameId);
        const unseen = frameIds.filter((frameId) => !isStored.has(frameId));
        if (unseen.length > 0) throw new UnseenFrames(unseen);
        return new Set(frameIds.filter((frameId) => isStored.get(frameId)));
      };
      for (let wanted: readonly string[] = layers.map(({ frameId }) => frameId); ;) {
        for (const frameId of new Set(wanted)) isStored.set(frameId, await files.hasFrame(frameId));
        try {
          return await write(storedAmong);
        } catch (error) {
          if (!(error instanceof UnseenFrames)) throw error;
          wanted = error.frameIds;
        }
      }
    });
}
