// Fetches the original files of layers from the service that kept them, and compares their bytes with their hashes.
import { zipSync, type Zippable } from "fflate";
import { AppError } from "../../../shared/app-error.ts";
import { toPath } from "../../../shared/contract/operations.ts";
import { toHex } from "../../frames/frame-check.ts";
import type { DataLayer } from "./data-messages.ts";

interface FetchOptions {
  readonly signal: AbortSignal;
  /** Gets the number of files fetched so far. */
  readonly onProgress: (done: number) => void;
}

/** Returns a single file under its own name, or an archive of several. */
export async function fetchSources(layers: readonly DataLayer[], options: FetchOptions): Promise<Blob> {
  const files: File[] = [];
  for (const layer of layers) {
    files.push(await fetchSource(layer, options.signal));
    options.onProgress(files.length);
  }
  const [single, ...others] = files;
  if (single && others.length === 0) return single;
  const entries: Zippable = {};
  // GRIB2 is packed already.
  for (const file of files) entries[file.name] = [new Uint8Array(await file.arrayBuffer()), { level: 0 }];
  return new Blob([zipSync(entries)], { type: "application/zip" });
}

async function fetchSource({ facts: { revision, id } }: DataLayer, signal: AbortSignal): Promise<File> {
  const { event, revisionId, sequence } = revision;
  const path = toPath("getSource", { eventId: event.id, revisionId, productId: id });
  const response = await fetch(path, { signal });
  if (response.status === 404) {
    throw new AppError("not-found", `This service did not keep the ${id} file of revision ${sequence}.`);
  }
  if (!response.ok) {
    throw new AppError("upstream-unavailable", `The ${id} file could not be read (${response.status}).`);
  }
  const bytes = await response.arrayBuffer();
  const expected = response.headers.get("etag")?.slice(1, -1);
  if (isSecureContext && (await sha256Of(bytes)) !== expected) {
    throw new AppError("stored-data-invalid", `The ${id} file arrived damaged. Try again.`);
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  return new File([bytes], name ?? `${expected}.grib2`, { type: "application/octet-stream" });
}

async function sha256Of(bytes: ArrayBuffer): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
