// The two ways of a pack between the catalog and a repository: export and push, or fetch and import. Both keep a bare
// repository here, so that the next time only new objects are transferred.
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { RemoteAddress } from "../../../../shared/packs/pairing-code.ts";
import type { CatalogReader, WorkReader } from "../../../catalog/catalog.ts";
import type { FrameStore } from "../../../catalog/files/frame-store.ts";
import { exportEvent } from "../export-event.ts";
import { importPack, requirePackEvent, type ImportCatalog } from "../import-pack.ts";
import { packDirectoryOf } from "../pack-layout.ts";
import { fetchPack } from "../remote/fetch-pack.ts";
import { createHttpRemote, pushPackTo } from "../remote/push-pack.ts";
import type { PushRemote } from "../remote/push-request.ts";
import type { RemoteOptions, TransferOptions } from "../remote/transfer-limits.ts";
import type { PackOutcome } from "../sharing-types.ts";
import { readPackEventId } from "./pack-head.ts";

interface ExportRequest {
  /** The data directory. */
  readonly directory: string;
  readonly eventId: string;
  readonly catalog: CatalogReader & WorkReader;
  readonly frames: Pick<FrameStore, "read">;
}

export interface PushRequest extends ExportRequest, Omit<RemoteOptions, "gitdir" | "onBytes"> {}

/** Exports an event and pushes it over HTTP. Throws as `exportEvent` and `pushPack` do. */
export async function exportAndPush(request: PushRequest): Promise<PackOutcome> {
  return exportAndPushTo(createHttpRemote(request), request);
}

/** Exports an event and pushes what the remote lacks; closes the remote. Progress restarts for the push. */
export async function exportAndPushTo(
  remote: PushRemote,
  request: ExportRequest & Omit<TransferOptions, "gitdir">,
): Promise<PackOutcome> {
  const { catalog, frames, eventId, signal, onProgress } = request;
  const gitdir = packDirectoryOf(request.directory, eventId);
  await exportEvent({ catalog, frames, directory: gitdir, eventId, signal, onProgress });
  const { commit, status } = await pushPackTo(remote, { ...request, gitdir });
  return { event: eventId, commit, status };
}

export interface GetRequest extends Omit<RemoteOptions, "gitdir" | "onBytes"> {
  /** The data directory. */
  readonly directory: string;
  readonly catalog: ImportCatalog;
  readonly frames: Pick<FrameStore, "put">;
  /** Called with the event's id before anything of it is published; an error it throws ends the work. */
  readonly onEvent?: ((eventId: string) => void) | undefined;
}

/**
 * Fetches a pack and imports its event. Progress restarts for the import. Throws as `fetchPack` and `importPack` do.
 */
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

/** Returns the repository that an address is fetched into. It stays the same if the certificate changes. */
export function fetchedDirectoryOf(directory: string, { url }: RemoteAddress): string {
  const name = createHash("sha256").update(url).digest("hex").slice(0, 32);
  return join(directory, "packs", "fetched", `${name}.git`);
}
