// Tells which frames of a publication are stored.
import type { PublishedLayer } from "../../catalog.ts";
import type { StoredFiles } from "../../files/stored-files.ts";

/** Call it under the write lock, so that retention cannot remove a frame meanwhile. */
export function storedAmong(files: StoredFiles, layers: readonly PublishedLayer[]): ReadonlySet<string> {
  return new Set(layers.map(({ frameId }) => frameId).filter((frameId) => files.hasFrame(frameId)));
}
