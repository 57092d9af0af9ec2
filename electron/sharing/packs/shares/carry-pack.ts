// The two ways of a pack between a catalog and a repository elsewhere: an event is exported and pushed, or fetched and imported.
// Both keep a bare repository here, so that the next time only what is new is on its way.
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { RemoteAddress } from "../../../../shared/packs/pairing-code.ts";
import type { Catalog, CatalogReader, WorkReader } from "../../../catalog/catalog.ts";
import type { FrameStore } from "../../../catalog/files/frame-store.ts";
import type { Effects } from "../../../platform/effects.ts";
import { exportEvent } from "../export-event.ts";
import { importPack, requirePackEvent } from "../import-pack.ts";
import { packDirectoryOf } from "../pack-layout.ts";
import type { PackOutcome } from "../sharing-types.ts";
import { fetchPack } from "../remote/fetch-pack.ts";
import { pushPack } from "../remote/push-pack.ts";
import { readPackEventId } from "./pack-head.ts";

export interface Carriage {
  /** The data directory. */
  readonly directory: string;
  readonly address: RemoteAddress;
  readonly token: string | undefined;
  readonly effects: Pick<Effects, "sleep" | "random">;
  /** First of one half of the work, then of the other: `done` begins again. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal: AbortSignal;
}

export interface PushRequest extends Carriage {
  readonly eventId: string;
  readonly catalog: CatalogReader & WorkReader;
  readonly frames: Pick<FrameStore, "read">;
}

/** Exports an event and pushes what is not there. Throws as `exportEvent` and `pushPack` do. */
export async function exportAndPush(request: PushRequest): Promise<PackOutcome> {
  const { directory, eventId, catalog, frames, onProgress, signal } = request;
  const gitdir = packDirectoryOf(directory, eventId);
  await exportEvent({ catalog, frames, directory: gitdir, eventId, signal, onProgress });
  const { commit, status } = await pushPack({ ...request, gitdir });
  return { event: eventId, commit, status };
}

export interface GetRequest extends Carriage {
  readonly catalog: Pick<Catalog, "findEvent" | "findRevision" | "adoptAll" | "adoptEvent">;
  readonly frames: Pick<FrameStore, "put">;
  /** Says whose pack it is before anything of it is published; what it throws ends the work. */
  readonly onEvent?: ((eventId: string) => void) | undefined;
}

/** Fetches a pack and takes its event over. Throws as `fetchPack` and `importPack` do. */
export async function fetchAndImport(request: GetRequest): Promise<PackOutcome> {
  const { directory, address, catalog, frames, onProgress, signal } = request;
  const gitdir = fetchedDirectoryOf(directory, address);
  const { commit } = await fetchPack({
    ...request,
    gitdir,
    onFirstCommit: async (first) => {
      const eventId = await readPackEventId(gitdir, first);
      if (eventId !== undefined) requirePackEvent(await catalog.findEvent(eventId), eventId);
    },
  });
  const eventId = await readPackEventId(gitdir, commit);
  if (eventId !== undefined) request.onEvent?.(eventId);
  return importPack({ gitdir, catalog, frames, onProgress, signal });
}

/** Of the repository that an address was fetched into. A certificate may change, its address stays. */
export function fetchedDirectoryOf(directory: string, { url }: RemoteAddress): string {
  const name = createHash("sha256").update(url).digest("hex").slice(0, 32);
  return join(directory, "packs", "fetched", `${name}.git`);
}
