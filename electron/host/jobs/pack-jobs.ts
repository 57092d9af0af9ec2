// Events as packs: written, taken over, pushed and fetched.
import type { Effects } from "../../platform/effects.ts";
import type { ExportOptions } from "../../sharing/packs/export-event.ts";
import type { ImportOptions } from "../../sharing/packs/import-pack.ts";
import type { PackOutcome } from "../../sharing/packs/sharing-types.ts";
import type { GetRequest, PushRequest } from "../../sharing/packs/shares/carry-pack.ts";
import { making, reading, useStores } from "./stores.ts";

export interface PackExportRequest extends Pick<ExportOptions, "eventId" | "signal" | "onProgress"> {
  /** Of the bare repository; the data directory's own of this event unless given. */
  readonly gitdir?: string | undefined;
}

/**
 * Writes an event as a pack; writers and a running host may use the directory meanwhile. Throws as `exportEvent` does, and
 * `not-found` where there is no catalog.
 */
export async function exportPack(
  dataDirectory: string,
  { gitdir, ...request }: PackExportRequest,
): Promise<PackOutcome> {
  const { exportEvent } = await import("../../sharing/packs/export-event.ts");
  const { packDirectoryOf } = await import("../../sharing/packs/pack-layout.ts");
  const directory = gitdir ?? packDirectoryOf(dataDirectory, request.eventId);
  return useStores(dataDirectory, reading, (stores) => exportEvent({ ...request, ...stores, directory }));
}

export interface PackImportRequest extends Pick<ImportOptions, "signal" | "onProgress"> {
  /** A bare repository, or a folder with one in `.git`. */
  readonly path: string;
}

/** Takes over an event out of a pack, and makes the directory where there is none. Throws as `importPack` does. */
export async function importPackInto(
  dataDirectory: string,
  { path, ...request }: PackImportRequest,
  effects: Effects,
): Promise<PackOutcome> {
  const { importPack } = await import("../../sharing/packs/import-pack.ts");
  const { findRepository } = await import("../../sharing/git/repository.ts");
  const gitdir = findRepository(path);
  return useStores(dataDirectory, making(effects), (stores) => importPack({ ...request, ...stores, gitdir }));
}

export interface PackPushRequest extends Pick<
  PushRequest,
  "eventId" | "address" | "token" | "signal" | "onProgress"
> {
  readonly effects: Effects;
}

/**
 * Exports an event and pushes it; writers and a running host may use the directory meanwhile. Throws as `exportAndPush` does,
 * and `not-found` where there is no catalog.
 */
export async function pushPackFrom(directory: string, request: PackPushRequest): Promise<PackOutcome> {
  const { exportAndPush } = await import("../../sharing/packs/shares/carry-pack.ts");
  return useStores(directory, reading, (stores) => exportAndPush({ ...request, ...stores, directory }));
}

export interface PackFetchRequest extends Pick<GetRequest, "address" | "token" | "signal" | "onProgress"> {
  readonly effects: Effects;
}

/** Fetches a pack and takes its event over, and makes the directory where there is none. Throws as `fetchAndImport` does. */
export async function fetchPackInto(directory: string, request: PackFetchRequest): Promise<PackOutcome> {
  const { fetchAndImport } = await import("../../sharing/packs/shares/carry-pack.ts");
  return useStores(directory, making(request.effects), (stores) =>
    fetchAndImport({ ...request, ...stores, directory }),
  );
}
