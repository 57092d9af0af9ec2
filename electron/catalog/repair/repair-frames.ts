// Makes missing and damaged frames again: from the source that was kept, or from the local file that was ingested, where it
// is still the same; and only where the picture is the same to the byte. Revisions whose frame cannot be made are withdrawn.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { isAppError } from "../../../shared/app-error.ts";
import { frameLocation, sourceLocations } from "../files/data-directory.ts";
import { framePlace, revisionPlace } from "../verify/finding-places.ts";
import { sha256Of } from "../compose-manifest.ts";
import { prepare } from "../queries.ts";
import type { RepairContext } from "./repair-context.ts";
import { createWithdrawal, type RevisionPosition } from "./repair-withdrawal.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { findFault } from "../verify/verify-frames.ts";

/** Drawn at the same time: enough to keep a render pool busy. */
const lanes = 4;

interface ShowingRevision extends RevisionPosition {
  readonly product_id: string;
}

/** Looks at each of these frames and makes good what is wrong. Returns how many revisions were withdrawn. */
export async function repairFrames(frameIds: readonly string[], context: RepairContext): Promise<number> {
  const { database, signal, folders, tell } = context;
  const findSources = createSourceFinder(context);
  const withdraw = createFrameWithdrawal(context);
  const isShown = prepare(database, "SELECT 1 FROM revision_layers WHERE frame_id = ? LIMIT 1");
  let withdrawn = 0;
  const waiting = frameIds.values();
  const work = async (): Promise<void> => {
    for (const frameId of waiting) {
      signal?.throwIfAborted();
      if (!isShown.first(frameId)) continue;
      const { file } = frameLocation(folders.framesFolder, frameId);
      const fault = existsSync(file) ? await findFault(file, frameId) : "It is missing.";
      if (fault === undefined) continue;
      const source = await drawAgain(frameId, findSources(frameId), context);
      const made = source ?? (await withdraw(frameId, fault));
      if (typeof made === "number") withdrawn += made;
      const repaired =
        typeof made === "string"
          ? `It was drawn again from ${made}.`
          : "It cannot be drawn again; what showed it was withdrawn.";
      if (made !== 0) tell({ severity: "fault", where: framePlace(frameId), what: fault, repaired });
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return withdrawn;
}

interface FrameSource {
  readonly path: string;
  /** For people. */
  readonly name: string;
  /** SHA-256 that the file must have, or it is another one by now. */
  readonly sha256: string;
}

/** Files that the frame may have been drawn from, the kept ones first. */
function createSourceFinder({
  database,
  folders,
}: RepairContext): (frameId: string) => readonly FrameSource[] {
  const layers = prepare<{ source_url: string; source_sha256: string | null }>(
    database,
    "SELECT DISTINCT source_url, source_sha256 FROM revision_layers WHERE frame_id = ?",
  );
  const assets = prepare<{ locator: string; sha256: string }>(
    database,
    `SELECT DISTINCT a.locator, a.sha256 FROM revision_layers l
       JOIN assets a ON a.event_id = l.event_id AND a.product_id = l.product_id AND a.observed_at = l.observed_at
       WHERE l.frame_id = ? AND a.sha256 IS NOT NULL`,
  );
  return (frameId) => {
    const hashes = new Set(
      layers
        .all(frameId)
        .flatMap(({ source_url, source_sha256 }) => [source_sha256, fromNameUri(source_url)]),
    );
    const kept = [...hashes].flatMap((sha256) => {
      // A damaged row must not lead out of the folder.
      if (sha256 === null || !/^[0-9a-f]{64}$/.test(sha256)) return [];
      const { gzip, plain } = sourceLocations(folders.sourcesFolder, sha256);
      return [gzip, plain].map((path) => ({ path, name: "its kept source", sha256 }));
    });
    const local = assets
      .all(frameId)
      .filter(({ locator }) => isAbsolute(locator))
      .map(({ locator, sha256 }) => ({ path: locator, name: "the file that it was made of", sha256 }));
    return [...kept, ...local].filter(({ path }) => existsSync(path));
  };
}

/** The SHA-256 in an RFC 6920 name, lower-case hexadecimal. */
function fromNameUri(uri: string): string | null {
  const value = /^ni:\/\/\/sha-256;([\w-]{43})$/.exec(uri)?.[1];
  return value === undefined ? null : Buffer.from(value, "base64url").toString("hex");
}

/** The name of the source from which the frame was made again, undefined where none gives the same picture. */
async function drawAgain(
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
      // The next source may be better.
      if (!isAppError(error, "source-invalid")) throw error;
    }
  }
  return undefined;
}

/** Only a file can be replaced by a file. */
export async function removeFolder(path: string): Promise<void> {
  try {
    if ((await stat(path)).isDirectory()) await rm(path, { recursive: true });
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
  }
}

/** Returns what withdraws the revisions that show a frame, and tells each; gives how many they were. */
function createFrameWithdrawal(context: RepairContext): (frameId: string, fault: string) => Promise<number> {
  const { database, folders, commit, tell } = context;
  const withdraw = createWithdrawal(context);
  const showing = prepare<ShowingRevision>(
    database,
    `SELECT r.id, r.event_id, r.sequence, l.product_id FROM revision_layers l
       JOIN revisions r ON r.id = l.revision JOIN events e ON e.id = r.event_id
       WHERE l.frame_id = ? ORDER BY r.event_id, r.sequence`,
  );
  return async (frameId, fault) => {
    const { file } = frameLocation(folders.framesFolder, frameId);
    const matchedBefore = matchesName(file, frameId);
    const revisions = await commit(() => {
      // A writer may have stored it again meanwhile.
      if (!matchedBefore && matchesName(file, frameId)) return [];
      const found = showing.all(frameId);
      for (const revision of found) {
        withdraw(revision, `Its frame of ${revision.product_id} cannot be made good: ${fault}`);
      }
      return found;
    });
    if (revisions.length > 0) await removeFolder(file);
    for (const { event_id, sequence, product_id } of revisions) {
      tell({
        severity: "fault",
        where: revisionPlace(event_id, sequence),
        what: `Its frame of ${product_id} is missing or damaged.`,
        repaired: "It was withdrawn: its frame cannot be drawn again. Its sequence stays used.",
      });
    }
    return revisions.length;
  };
}

function matchesName(file: string, frameId: string): boolean {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex") === frameId;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
