// Opens the frames of a location alone, for worker threads, which need no catalog.
import { createFrameStore, type FrameStoreOptions } from "../files/file-frame-store.ts";
import type { FrameStore } from "../files/frame-store.ts";
import type { StoresLocation } from "./located-stores.ts";

export function openFrameStore(
  { directory }: StoresLocation,
  options: Omit<FrameStoreOptions, "directory">,
): FrameStore {
  return createFrameStore({ ...options, directory });
}
