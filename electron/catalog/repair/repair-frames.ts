// Restores missing and damaged frames from the stored source, or from the ingested local file if that is unchanged.
// Accepts only a picture that is identical byte for byte. Withdraws the revisions of frames that cannot be restored.
import { existsSync, readFileSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { isAppError } from "../../../shared/app-error.ts";
import { frameLocation, sourceLocations } from "../files/data-directory.ts";
import { framePlace, revisionPlace } from "../verify/finding-places.ts";
import { isSha256, sha256Of } from "../../platform/sha256.ts";
import { mapLimited } from "../../platform/locks/limit.ts";
import { prepareIsShown } from "../sqlite/queries.ts";
import type { RepairContext } from "./repair-context.ts";
import { createWithdrawal, type RevisionPosition } from "./repair-events.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { findFault } from "../verify/verify-frames.ts";

/** Frames restored at once: enough to keep a render pool busy. */
const framesAtOnce = 4;

interface ShowingRevision extends RevisionPosition {
  readonly product_id: string;
}

/** Checks each frame and restores it if needed. Returns the number of withdrawn revisions. */
export async function repairFrames(frameIds: readonly string[], context: RepairContext): Promise<number> {
  const { prepare, signal, folders, report } = context;
  const findSources = createSourceFinder(context);
  const withdraw = createFrameWithdrawal(context);
  const isShown = prepareIsShown(prepare, "frame");
  let withdrawn = 0;
  await mapLimited(frameIds, framesAtOnce, async (frameId) => {
    signal?.throwIfAborted();
    if (!isShown(frameId)) return;
    const { file } = frameLocation(folders.framesFolder, frameId);
    const fault = existsSync(file) ? await findFault(file, frameId) : "It is missing.";
    if (fault === undefined) return;
    const source = await restore(frameId, findSources(frameId), context);
    const made = source ?? (await withdraw(frameId, fault));
    if (typeof made === "number") withdrawn += made;
    const repaired =
      typeof made === "string"
        ? `It was restored from ${made}.`
        : "It cannot be restored; the revisions that showed it were withdrawn.";
    if (made !== 0) report({ severity: "fault", where: framePlace(frameId), what: fault, repaired });
  });
  return withdrawn;
}

interface FrameSource {
  readonly path: string;
  /** Description for people. */
  readonly name: string;
  /** SHA-256 that the file must still have. */
  readonly sha256: string;
}

/** Returns a function that finds existing files that a frame may come from, stored sources first. */
function createSourceFinder({
  prepare,
  folders,
}: RepairContext): (frameId: string) => readonly FrameSource[] {
  const layers = prepare<{ source_url: string; source_sha256: string | null }>(
    "SELECT DISTINCT source_url, source_sha256 FROM revision_layers WHERE frame_id = ?",
  );
  const assets = prepare<{ locator: string; sha256: string }>(`
    SELECT DISTINCT a.locator, a.sha256 FROM revision_layers l
      JOIN assets a ON a.event_id = l.event_id AND a.product_id = l.product_id AND a.observed_at = l.observed_at
      WHERE l.frame_id = ? AND a.sha256 IS NOT NULL`);
  return (frameId) => {
    const hashes = new Set(
      layers
        .all(frameId)
        .flatMap(({ source_url, source_sha256 }) => [source_sha256, fromNameUri(source_url)]),
    );
    const kept = [...hashes].flatMap((sha256) => {
      // A damaged row must not lead out of the folder.
      if (sha256 === null || !isSha256(sha256)) return [];
      const { gzip, plain } = sourceLocations(folders.sourcesFolder, sha256);
      return [gzip, plain].map((path) => ({ path, name: "its stored source", sha256 }));
    });
    const local = assets
      .all(frameId)
      .filter(({ locator }) => isAbsolute(locator))
      .map(({ locator, sha256 }) => ({ path: locator, name: "the ingested file", sha256 }));
    return [...kept, ...local].filter(({ path }) => existsSync(path));
  };
}

/** Returns the SHA-256 in an RFC 6920 name, lower-case hexadecimal. */
export function fromNameUri(uri: string): string | null {
  const value = /^ni:\/\/\/sha-256;([\w-]{43})$/.exec(uri)?.[1];
  return value === undefined ? null : Buffer.from(value, "base64url").toString("hex");
}

/** Returns the name of the source that restored the frame; undefined if no source gives the same picture. */
async function restore(
  frameId: string,
  sources: readonly FrameSource[],
  { redraw, frames, folders, signal }: RepairContext,
): Promise<string | undefined> {
  for (const { path, name, sha256 } of sources) {
    try {
      const drawn = await redraw(path, signal);
      if (drawn.sha256 !== sha256 || sha256Of(drawn.png) !== frameId) continue;
      await removeFolder(frameLocation(folders.framesFolder, frameId).file);
      await frames.put(drawn.png);
      return name;
    } catch (error) {
      // Tries the next source.
      if (!isAppError(error, "source-invalid")) throw error;
    }
  }
  return undefined;
}

/** Removes a folder where a file belongs, because a file cannot replace a folder. */
export async function removeFolder(path: string): Promise<void> {
  try {
    if ((await stat(path)).isDirectory()) await rm(path, { recursive: true });
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
}

/** Returns a function that withdraws and reports the revisions that show a frame; it returns their number. */
function createFrameWithdrawal(context: RepairContext): (frameId: string, fault: string) => Promise<number> {
  const { prepare, folders, commit, report } = context;
  const withdraw = createWithdrawal(context);
  const showing = prepare<ShowingRevision>(`
    SELECT r.id, r.event_id, r.sequence, l.product_id FROM revision_layers l
      JOIN revisions r ON r.id = l.revision JOIN events e ON e.id = r.event_id
      WHERE l.frame_id = ? ORDER BY r.event_id, r.sequence`);
  return async (frameId, fault) => {
    const { file } = frameLocation(folders.framesFolder, frameId);
    const matchedBefore = matchesName(file, frameId);
    const revisions = await commit(() => {
      // A writer may have stored it meanwhile.
      if (!matchedBefore && matchesName(file, frameId)) return [];
      const found = showing.all(frameId);
      for (const revision of found) {
        withdraw(revision, `Its frame of ${revision.product_id} cannot be restored: ${fault}`);
      }
      return found;
    });
    if (revisions.length > 0) await removeFolder(file);
    for (const { event_id, sequence, product_id } of revisions) {
      report({
        severity: "fault",
        where: revisionPlace(event_id, sequence),
        what: `Its frame of ${product_id} is missing or damaged.`,
        repaired: "It was withdrawn: its frame cannot be restored. Its sequence stays used.",
      });
    }
    return revisions.length;
  };
}

function matchesName(file: string, frameId: string): boolean {
  try {
    return sha256Of(readFileSync(file)) === frameId;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
