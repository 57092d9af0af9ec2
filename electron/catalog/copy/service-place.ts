// A service as a side of a copy. Loaded only where a service is configured.
import { createBlobStore } from "../objects/blob-store.ts";
import { createServiceRowWriter } from "../postgres/copying/service-row-writer.ts";
import { createServiceRows } from "../postgres/copying/service-rows.ts";
import { createPostgresBlobIndex } from "../postgres/postgres-blob-index.ts";
import type { ServiceLocation } from "../stores/located-stores.ts";
import { openServiceParts } from "../stores/service-parts.ts";
import type { CopyTarget } from "./copied-places.ts";

/** @throws as `openServiceParts` does */
export async function openServicePlace(location: ServiceLocation): Promise<CopyTarget> {
  const { database, objects, close } = await openServiceParts(location);
  const blobs = createPostgresBlobIndex(database);
  const stores = {
    frames: createBlobStore({ objects, blobs, kind: "frames" }),
    sources: createBlobStore({ objects, blobs, kind: "sources" }),
  };
  return {
    rows: createServiceRows(database),
    writer: createServiceRowWriter(database),
    read: (kind, sha256) => stores[kind].read(sha256),
    findStored: async (_kind, sha256s) => new Set((await blobs.findAll(sha256s)).keys()),
    put: async (kind, bytes) => void (await stores[kind].put(bytes)),
    close,
  };
}
