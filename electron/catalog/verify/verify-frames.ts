// Verifies the frame files: each frame that a revision shows exists, matches its name and is a readable PNG. Works
// folder by folder, so that memory holds the names of one folder and the bytes of one file.
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { maxFramePixels } from "../../../shared/contract/frame-format.ts";
import { isPngError } from "../../../shared/png/png-error.ts";
import { checkPng } from "../../platform/png/check.ts";
import { frameLocation, type DataDirectory } from "../files/data-directory.ts";
import { explainDamage, type Findings, type Steps } from "./findings.ts";
import { framePlace, revisionPlace } from "./finding-places.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { createPrepare, type Prepare, prepareIsShown } from "../sqlite/queries.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { openUntouched } from "../../platform/sqlite/open-sqlite-file.ts";

/** Frames that revisions show, as far as the catalog can be read. */
export interface ShownFrames {
  /** Returns the ids with this prefix of two hexadecimal digits, ascending; undefined if the catalog is unreadable. */
  withPrefix(prefix: string): readonly string[] | undefined;
  /** Returns where a frame is shown first, such as "event a, sequence 3". */
  placeOf(frameId: string): string;
  /** Returns true if retention is about to remove the file. */
  isCondemned(frameId: string): boolean;
}

const frameFile = /^([0-9a-f]{64})\.png$/;
/** Above the size of the largest possible frame. */
const mostFrameBytes = 2 ** 29;

export function createShownFrames(prepare: Prepare): ShownFrames {
  const ids = prepare<{ frame_id: string }>(
    "SELECT DISTINCT frame_id FROM revision_layers WHERE frame_id >= ? AND frame_id < ? ORDER BY frame_id",
  );
  const place = prepare<{ event_id: string; sequence: number }>(
    "SELECT event_id, sequence FROM revision_layers WHERE frame_id = ? ORDER BY event_id, sequence LIMIT 1",
  );
  const condemned = prepare("SELECT 1 FROM condemned_files WHERE kind = 'frame' AND name = ?");
  return {
    isCondemned: (frameId) => condemned.first(frameId) !== undefined,
    // "g" follows every hexadecimal digit.
    withPrefix: (prefix) => ids.all(prefix, `${prefix}g`).map(({ frame_id }) => frame_id),
    placeOf(frameId) {
      const row = place.first(frameId);
      return row ? `event ${row.event_id}, sequence ${row.sequence}` : "no revision";
    },
  };
}

/** Reports layer rows with an invalid frame id. */
export function verifyFrameIds(prepare: Prepare, findings: Findings): void {
  const odd = prepare<{ event_id: string; sequence: number; frame_id: string }>(`
    SELECT event_id, sequence, frame_id FROM revision_layers
      WHERE length(frame_id) <> 64 OR frame_id GLOB '*[^0-9a-f]*'`);
  for (const { event_id, sequence, frame_id } of odd.all()) {
    findings.fault(revisionPlace(event_id, sequence), `"${frame_id}" is not the name of a stored frame.`);
  }
}

/** If the catalog is unreadable, checks files only against their names. Returns the number of files. */
export async function verifyFrames(
  folders: DataDirectory,
  shown: ShownFrames,
  findings: Findings,
  steps: Steps,
): Promise<number> {
  const { framesFolder } = folders;
  let count = 0;
  for (const name of await listNames(framesFolder, "frames", findings)) {
    if (!/^[0-9a-f]{2}$/.test(name)) findings.note(`frames/${name}`, "It is not a folder of frames.");
  }
  for (let number = 0; number < 256; number += 1) {
    const prefix = number.toString(16).padStart(2, "0");
    const names = new Set(await listNames(join(framesFolder, prefix), `frames/${prefix}`, findings));
    const ids = shown.withPrefix(prefix);
    steps.expect(names.size);
    for (const frameId of ids ?? []) {
      if (names.has(`${frameId}.png`) || !isShownNow(folders, frameId)) continue;
      findings.fault(framePlace(frameId), `It is missing, and ${shown.placeOf(frameId)} shows it.`);
    }
    const shownHere = ids && new Set(ids);
    for (const name of names) {
      await verifyFile({ folders, prefix, name, shownHere }, shown, findings);
      count += 1;
      await steps.step();
    }
  }
  return count;
}

interface FrameFile {
  readonly folders: DataDirectory;
  readonly prefix: string;
  readonly name: string;
  readonly shownHere: ReadonlySet<string> | undefined;
}

async function verifyFile(
  { folders, prefix, name, shownHere }: FrameFile,
  shown: ShownFrames,
  findings: Findings,
): Promise<void> {
  const where = `frames/${prefix}/${name}`;
  const frameId = frameFile.exec(name)?.[1];
  if (frameId?.startsWith(prefix) !== true) {
    findings.note(where, "It is not a frame: its name is not a hash.");
    return;
  }
  const { file } = frameLocation(folders.framesFolder, frameId);
  const fault = await findFault(file, frameId);
  // Retention may have removed it meanwhile.
  if (fault !== undefined && !existsSync(file) && !isShownNow(folders, frameId)) return;
  if (shownHere && !shownHere.has(frameId)) {
    const why = shown.isCondemned(frameId) ? "Retention will remove it" : "No revision shows it";
    findings.note(where, `${why}${fault === undefined ? "" : "; it is also damaged"}.`);
  } else if (fault !== undefined) {
    findings.fault(where, fault);
  }
}

/** Returns what is wrong with a frame's file, in a sentence; undefined if nothing is. */
export async function findFault(file: string, frameId: string): Promise<string | undefined> {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) return "It is not a file.";
    if (stats.size > mostFrameBytes) return `It has ${stats.size} bytes, more than a frame can have.`;
    return await findFrameFault(await readFile(file), frameId);
  } catch (error) {
    return explainDamage(error);
  }
}

/** Returns what is wrong with the bytes of a frame, in a sentence; undefined if nothing is. */
export async function findFrameFault(bytes: Uint8Array, frameId: string): Promise<string | undefined> {
  if (sha256Of(bytes) !== frameId) return "Its bytes do not match its name.";
  try {
    await checkPng(bytes, maxFramePixels);
    return undefined;
  } catch (error) {
    if (isPngError(error)) return `It is not a readable PNG: ${error.message}.`;
    throw error;
  }
}

/** Returns the sorted names in a folder: none if it is missing. Reports a fault if it cannot be listed. */
export async function listNames(folder: string, where: string, findings: Findings): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    findings.fault(where, explainDamage(error, "It cannot be listed"));
    return [];
  }
}

/** Returns true if a revision shows the frame by now, or if the catalog cannot be read. */
function isShownNow({ catalogFile }: DataDirectory, frameId: string): boolean {
  if (!existsSync(catalogFile)) return true;
  try {
    const database = openUntouched(catalogFile);
    try {
      return prepareIsShown(createPrepare(database), "frame")(frameId);
    } finally {
      database.close();
    }
  } catch (error) {
    // Damage of the catalog is reported by the verification of its rows.
    explainDamage(error);
    return true;
  }
}
