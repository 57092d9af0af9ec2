// Repairs a data directory while others read it and write to it: makes good what can be made good, withdraws the revisions
// that cannot, and tells each. What nothing can be known about is told and stays as it is.
import { isAppError } from "../../../shared/app-error.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import { sqliteCode } from "../../platform/sqlite/result-codes.ts";
import { createDataDirectory, dataDirectory, type DataDirectory } from "../files/data-directory.ts";
import { openDatabase } from "../catalog-database.ts";
import { createFrameStore } from "../files/file-frame-store.ts";
import type { Finding } from "../verify/findings.ts";
import { catalogPlace, parsePlace } from "../verify/finding-places.ts";
import { aloneWithFiles, canBeOpened, findOldVersion } from "./repair-access.ts";
import { isBeyondRepair, isCatalogFault, repairCatalog } from "./repair-catalog.ts";
import {
  createRepairContext,
  type RepairContext,
  type RepairFinding,
  type Redraw,
} from "./repair-context.ts";
import { repairEvents } from "./repair-events.ts";
import { repairUnreadable } from "./repair-unreadable.ts";
import { clearStaging, removeOrphans } from "./repair-files.ts";
import { repairFrames } from "./repair-frames.ts";
import { repairRevisions, type DamagedRevision } from "./repair-revisions.ts";
import { migrations } from "../catalog-schema.ts";
import { toStorageError } from "../../platform/disk/storage-error.ts";
import { createStoredFiles } from "../files/stored-files.ts";
import { verifyDirectory, type VerifyOptions, type VerifyReport } from "../verify/verify-directory.ts";
import { acquireWriterLock } from "../writer-lock.ts";

export type { RepairFinding, Redraw, Redrawn } from "./repair-context.ts";

export interface RepairOptions extends VerifyOptions {
  readonly redraw: Redraw;
  /** The current instant. */
  readonly now: () => Date;
  /** Called with each finding as soon as its fate is known. */
  readonly onFinding: (finding: RepairFinding) => void;
}

export interface RepairReport {
  /** Of the directory as it is afterwards. */
  readonly counts: VerifyReport["counts"];
  /** How many are left. */
  readonly faults: number;
  readonly repaired: number;
  /** Revisions that were withdrawn; they are among what was repaired. */
  readonly withdrawn: number;
}

/** SQLite's result code for a table or a column that is not there (sqlite3.h). */
const sqliteError = 1;

/**
 * Verifies, repairs in short transactions, and verifies again. What was done by the time of an abort stays done.
 * @throws AppError `conflict` while a backup or another repair goes on; `storage-failed` where the disk refuses; the
 * signal's reason
 */
export async function repairDirectory(directory: string, options: RepairOptions): Promise<RepairReport> {
  const folders = dataDirectory(directory);
  const teller = createTeller(options.onFinding);
  if (!canBeOpened(folders)) return teller.conclude(await verifyDirectory(directory, options), 0);
  try {
    return await aloneWithFiles(folders, options.signal, () => repairAlone(folders, options, teller));
  } catch (error) {
    const known = toStorageError(error, "The data directory could not be repaired");
    if (!isAppError(known, "stored-data-invalid") && sqliteCode(error) !== sqliteError) throw known;
    // The catalog is so damaged, or so far from its schema, that it can be read in parts alone.
    return teller.conclude(await verifyDirectory(directory, options), 0);
  }
}

interface Teller {
  readonly tell: (finding: RepairFinding) => void;
  /** Tells what the last verification found, and sums up. */
  readonly conclude: (last: VerifyReport, withdrawn: number) => RepairReport;
}

function createTeller(onFinding: (finding: RepairFinding) => void): Teller {
  let repaired = 0;
  return {
    tell(finding) {
      repaired += 1;
      onFinding(finding);
    },
    conclude({ findings, counts }, withdrawn) {
      for (const finding of findings) onFinding({ ...finding, repaired: null });
      const faults = findings.filter(({ severity }) => severity === "fault").length;
      return { counts, faults, repaired, withdrawn };
    },
  };
}

async function repairAlone(
  folders: DataDirectory,
  options: RepairOptions,
  { tell, conclude }: Teller,
): Promise<RepairReport> {
  const { signal, redraw, now } = options;
  const nowMs = now().getTime();
  const oldVersion = findOldVersion(folders);
  await createDataDirectory(folders);
  const clear = async (isAlone: boolean): Promise<void> => {
    for (const finding of await clearStaging(folders, isAlone, nowMs)) tell(finding);
  };
  const lock = await acquireWriterLock(folders.writersLock, () => clear(true));
  const frames = createFrameStore({ directory: folders.root, cacheByteLimit: 0 });
  try {
    await clear(false);
    const database = await openDatabase(folders.catalogFile, "write");
    try {
      await syncFolder(folders.root);
      if (oldVersion !== undefined) {
        const repaired = `It was brought to version ${migrations.at(-1)!.version}.`;
        tell({
          severity: "note",
          where: catalogPlace,
          what: `It had the older version ${oldVersion}.`,
          repaired,
        });
      }
      const files = createStoredFiles(folders);
      const context = createRepairContext({ database, folders, files, frames, redraw, nowMs, signal, tell });
      return await repairWith(context, conclude, () => verifyDirectory(folders.root, options));
    } finally {
      database.close();
    }
  } finally {
    await frames.close();
    lock.close();
  }
}

async function repairWith(
  context: RepairContext,
  conclude: Teller["conclude"],
  verify: () => Promise<VerifyReport>,
): Promise<RepairReport> {
  let found = await verify();
  let withdrawn = 0;
  if (found.findings.some(isCatalogFault)) {
    await repairCatalog(context);
    withdrawn += await repairUnreadable(context);
    found = await verify();
  }
  if (found.findings.some(isBeyondRepair)) return conclude(found, withdrawn);
  const work = sortFindings(found.findings);
  const revisions = await repairRevisions(work.revisions, context);
  withdrawn += revisions.withdrawn;
  withdrawn += await repairFrames([...new Set([...work.frames, ...revisions.frameIds])], context);
  await repairEvents(work.events, context);
  await removeOrphans(work.orphans, context);
  const last = found.findings.length === 0 ? found : await verify();
  return conclude(last, withdrawn);
}

interface Work {
  readonly revisions: readonly DamagedRevision[];
  readonly events: ReadonlyMap<string, readonly Finding[]>;
  /** Frames that are missing or damaged. */
  readonly frames: readonly string[];
  readonly orphans: readonly string[];
}

function sortFindings(findings: readonly Finding[]): Work {
  const byPlace = Map.groupBy(findings, ({ where }) => where);
  const revisions: DamagedRevision[] = [];
  const events = new Map<string, readonly Finding[]>();
  const frames: string[] = [];
  const orphans: string[] = [];
  for (const [where, found] of byPlace) {
    const place = parsePlace(where);
    if (place.kind === "revision") revisions.push({ ...place, faults: found });
    if (place.kind === "event") events.set(place.eventId, found);
    if (place.kind === "frame") {
      const isFault = found.some(({ severity }) => severity === "fault");
      (isFault ? frames : orphans).push(place.frameId);
    }
  }
  return { revisions, events, frames, orphans };
}
