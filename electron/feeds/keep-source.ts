// Keeping the files that revisions are made of, so that a frame can be made again.
import type { SourceStore } from "../catalog/source-store.ts";
import type { Workshop } from "./stage-assets.ts";

/** Keeping the same file again, as a publication that is tried again does, changes nothing. */
export function createKeepSource(store: SourceStore): Workshop["keepSource"] {
  return async (path, sha256) => {
    if ((await store.find(sha256)) === undefined) await store.put(path);
  };
}
