// Opens the frames of a location alone, for worker threads, which need no catalog.
import { createFrameStore, type FrameStoreOptions } from "../files/file-frame-store.ts";
import type { FrameStore } from "../files/frame-store.ts";
import type { StoresLocation } from "./located-stores.ts";

/** @throws as `openStores` does, for a service */
export async function openFrameStore(
  location: StoresLocation,
  options: Omit<FrameStoreOptions, "directory">,
): Promise<FrameStore> {
  if (location.kind === "directory") return createFrameStore({ ...options, directory: location.directory });
  const { openServiceFrames } = await import("./service-stores.ts");
  return openServiceFrames(location, options);
}
