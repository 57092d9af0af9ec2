// Repairs the frames of a service while it runs: draws lost and damaged ones again from their source files, and
// withdraws the revisions of those that nothing restores. Reports everything else, and leaves it as it is. Loaded only
// where a service is configured.
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { isAppError } from "../../../../shared/app-error.ts";
import { makeFolder } from "../../../platform/disk/make-folder.ts";
import { sha256Of } from "../../../platform/sha256.ts";
import { createBlobStore, type BlobStore } from "../../objects/blob-store.ts";
import { sha256OfKey } from "../../objects/object-keys.ts";
import { removeCondemned } from "../../objects/sweep-objects.ts";
import { createPostgresBlobIndex } from "../../postgres/postgres-blob-index.ts";
import { createCommit, type Commit } from "../../postgres/writing/service-transaction.ts";
import { writeFrameWithdrawal } from "../../postgres/writing/write-withdrawal.ts";
import type { ServiceLocation } from "../../stores/located-stores.ts";
import { openServiceParts, type OpenedService } from "../../stores/service-parts.ts";
import type { Finding } from "../../verify/findings.ts";
import { verifyParts } from "../../verify/service/verify-service.ts";
import { findFrameFault } from "../../verify/verify-frames.ts";
import type { RepairOptions, RepairReport } from "../repair-directory.ts";
import { fromNameUri } from "../repair-frames.ts";

interface ServiceRepair extends Pick<RepairOptions, "redraw" | "signal"> {
  readonly service: OpenedService;
  readonly frames: BlobStore;
  readonly sources: BlobStore;
  readonly commit: Commit;
  readonly scratchFolder: string;
}

/** Verifies, repairs, and verifies again. @throws AppError of the stores; the signal's reason */
export async function repairService(
  location: ServiceLocation,
  options: Omit<RepairOptions, "now">,
): Promise<RepairReport> {
  const service = await openServiceParts(location);
  const { database, objects } = service;
  const blobs = createPostgresBlobIndex(database);
  const repair: ServiceRepair = {
    ...{ service, scratchFolder: location.scratchFolder, redraw: options.redraw, signal: options.signal },
    frames: createBlobStore({ objects, blobs, kind: "frames" }),
    sources: createBlobStore({ objects, blobs, kind: "sources" }),
    commit: createCommit(database),
  };
  try {
    const found = await verifyParts(service, options);
    let [repaired, withdrawn] = [0, 0];
    for (const finding of found.findings) {
      const done = await repairFrame(finding, repair);
      if (!done) continue;
      repaired += 1;
      withdrawn += done.withdrawn;
      options.onFinding({ ...finding, repaired: done.what });
    }
    await removeCondemned({ objects, blobs });
    const last = repaired === 0 ? found : await verifyParts(service, options);
    for (const finding of last.findings) options.onFinding({ ...finding, repaired: null });
    const faults = last.findings.filter(({ severity }) => severity === "fault").length;
    return { counts: last.counts, faults, repaired, withdrawn };
  } finally {
    await service.close();
  }
}

interface RepairedFrame {
  readonly what: string;
  readonly withdrawn: number;
}

/** Returns what was done; undefined if the finding is not about a shown frame, or the frame is good by now. */
async function repairFrame(
  { severity, where, what }: Finding,
  repair: ServiceRepair,
): Promise<RepairedFrame | undefined> {
  repair.signal?.throwIfAborted();
  const frameId = severity === "fault" ? sha256OfKey(where) : undefined;
  if (frameId === undefined || (await isGood(frameId, repair))) return undefined;
  const source = await restore(frameId, repair);
  if (source !== undefined) return { what: `It was restored from ${source}.`, withdrawn: 0 };
  const withdrawn = await repair.commit("durable", (query) =>
    writeFrameWithdrawal(query, { frameId, objectKey: where, fault: what }),
  );
  if (withdrawn.length === 0) return undefined;
  const places = withdrawn
    .map(({ event_id, sequence }) => `event ${event_id}, sequence ${sequence}`)
    .join("; ");
  return {
    what: `It cannot be restored; the revisions that showed it were withdrawn: ${places}.`,
    withdrawn: withdrawn.length,
  };
}

/** Reads the frame again, since bytes may be damaged on their way. */
async function isGood(frameId: string, { frames }: ServiceRepair): Promise<boolean> {
  const bytes = await readValid(frames, frameId);
  return bytes !== undefined && (await findFrameFault(bytes, frameId)) === undefined;
}

/** Returns bytes; undefined if they are lost or damaged. */
async function readValid(store: BlobStore, sha256: string): Promise<Uint8Array | undefined> {
  try {
    return await store.read(sha256);
  } catch (error) {
    if (!isAppError(error, "stored-data-invalid")) throw error;
    return undefined;
  }
}

/** Returns the name of the source that restored the frame; undefined if none gives the same picture. */
async function restore(frameId: string, repair: ServiceRepair): Promise<string | undefined> {
  const { read } = repair.service.database;
  const layers = await read<{ source_url: string; source_sha256: string | null }>(
    "SELECT DISTINCT source_url, source_sha256 FROM revision_layers WHERE frame_id = $1",
    [frameId],
  );
  const hashes = layers.flatMap(({ source_url, source_sha256 }) => [source_sha256, fromNameUri(source_url)]);
  for (const sha256 of new Set(hashes)) {
    const bytes = sha256 === null ? undefined : await readValid(repair.sources, sha256);
    if (bytes && (await drawAgain(frameId, bytes, repair))) return "its stored source";
  }
  const files = await read<{ locator: string; sha256: string }>(
    `SELECT DISTINCT a.locator, a.sha256 FROM revision_layers l
      JOIN assets a ON a.event_id = l.event_id AND a.product_id = l.product_id AND a.observed_at = l.observed_at
      WHERE l.frame_id = $1 AND a.sha256 IS NOT NULL`,
    [frameId],
  );
  for (const { locator, sha256 } of files) {
    if (!isAbsolute(locator) || !existsSync(locator)) continue;
    if (await drawFrom(frameId, { path: locator, sha256 }, repair)) return "the ingested file";
  }
  return undefined;
}

async function drawAgain(frameId: string, source: Uint8Array, repair: ServiceRepair): Promise<boolean> {
  await makeFolder(repair.scratchFolder);
  const path = join(repair.scratchFolder, `${randomUUID()}.grib2`);
  try {
    await writeFile(path, source);
    return await drawFrom(frameId, { path, sha256: sha256Of(source) }, repair);
  } finally {
    await rm(path, { force: true });
  }
}

/** Returns true if the file gives the same picture, which is then stored. */
async function drawFrom(
  frameId: string,
  { path, sha256 }: { readonly path: string; readonly sha256: string },
  { redraw, frames, signal }: ServiceRepair,
): Promise<boolean> {
  try {
    const drawn = await redraw(path, signal);
    if (drawn.sha256 !== sha256 || sha256Of(drawn.png) !== frameId) return false;
    await frames.put(drawn.png);
    return true;
  } catch (error) {
    if (!isAppError(error, "source-invalid")) throw error;
    return false;
  }
}
