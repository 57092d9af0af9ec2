// Repairs a data directory while other processes use it: restores what it can, withdraws revisions that it cannot
// restore, and reports each step. Reports anything else, and leaves it unchanged.
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { AppError, isAppError } from "../../../shared/app-error.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import { readVersion } from "../../platform/sqlite/file-version.ts";
import { checkVersion, openUntouched } from "../../platform/sqlite/open-sqlite-file.ts";
import { sqliteCode } from "../../platform/sqlite/result-codes.ts";
import { createDataDirectory, dataDirectory, type DataDirectory } from "../files/data-directory.ts";
import { openDatabase } from "../sqlite/catalog-database.ts";
import { createFrameStore } from "../files/file-frame-store.ts";
import type { Finding } from "../verify/findings.ts";
import { catalogPlace, parsePlace } from "../verify/finding-places.ts";
import { isBeyondRepair, isCatalogFault, repairCatalog, repairUnreadable } from "./repair-catalog.ts";
import {
  createRepairContext,
  type RepairContext,
  type RepairFinding,
  type Redraw,
} from "./repair-context.ts";
import { repairEvents } from "./repair-events.ts";
import { clearStaging, removeOrphans } from "./repair-files.ts";
import { repairFrames } from "./repair-frames.ts";
import { repairOverlays, type DamagedOverlay } from "./repair-overlays.ts";
import { repairSteps } from "./repair-steps.ts";
import { repairRevisions, type DamagedRevision } from "./repair-revisions.ts";
import { catalogKind, migrations } from "../sqlite/schema/catalog-schema.ts";
import { toStorageError } from "../../platform/disk/storage-error.ts";
import { createStoredFiles } from "../files/stored-files.ts";
import { verifyDirectory, type VerifyOptions, type VerifyReport } from "../verify/verify-directory.ts";
import { acquireWriterLock, withRetentionLock } from "../files/directory-locks.ts";

export type { RepairFinding, Redraw, Redrawn } from "./repair-context.ts";

export interface RepairOptions extends VerifyOptions {
  readonly redraw: Redraw;
  /** The current instant. */
  readonly now: () => Date;
  /** Called once for each finding. */
  readonly onFinding: (finding: RepairFinding) => void;
}

export interface RepairReport {
  /** Counts of the directory after the repair. */
  readonly counts: VerifyReport["counts"];
  /** Number of faults that remain. */
  readonly faults: number;
  readonly repaired: number;
  /** Number of withdrawn revisions; each also counts as repaired. */
  readonly withdrawn: number;
}

/** Longest wait for a backup or another repair. */
const patienceMs = 30_000;

/** SQLITE_ERROR, for a missing table or column (sqlite3.h). */
const sqliteError = 1;

/**
 * Verifies, repairs in short transactions, and verifies again. An abort keeps what was done before.
 * @throws AppError `conflict` during a backup or another repair; `storage-failed` for errors of the disk; the signal's
 * reason
 */
export async function repairDirectory(directory: string, options: RepairOptions): Promise<RepairReport> {
  const folders = dataDirectory(directory);
  const reporter = createReporter(options.onFinding);
  if (!canBeOpened(folders)) return reporter.conclude(await verifyDirectory(directory, options), 0);
  try {
    return await aloneWithFiles(folders, options.signal, () => repairAlone(folders, options, reporter));
  } catch (error) {
    const known = toStorageError(error, "The data directory could not be repaired");
    if (!isAppError(known, "stored-data-invalid") && sqliteCode(error) !== sqliteError) throw known;
    // The catalog is too damaged, or too far from its schema, to be repaired.
    return reporter.conclude(await verifyDirectory(directory, options), 0);
  }
}

interface Reporter {
  readonly report: (finding: RepairFinding) => void;
  /** Reports the findings of the last verification, and sums up. */
  readonly conclude: (last: VerifyReport, withdrawn: number) => RepairReport;
}

function createReporter(onFinding: (finding: RepairFinding) => void): Reporter {
  let repaired = 0;
  return {
    report(finding) {
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
  { report, conclude }: Reporter,
): Promise<RepairReport> {
  const { signal, redraw, now } = options;
  const nowMs = now().getTime();
  const oldVersion = findOldVersion(folders);
  await createDataDirectory(folders);
  const clear = async (isAlone: boolean): Promise<void> => {
    for (const finding of await clearStaging(folders, isAlone, nowMs)) report(finding);
  };
  const lock = await acquireWriterLock(folders.writersLock, () => clear(true));
  const frames = createFrameStore({ directory: folders.root, cacheByteLimit: 0 });
  try {
    await clear(false);
    const database = await openDatabase(folders.catalogFile, "write");
    try {
      await syncFolder(folders.root);
      if (oldVersion !== undefined) {
        const repaired = `It was updated to version ${migrations.at(-1)!.version}.`;
        const what = `It had the older version ${oldVersion}.`;
        report({ severity: "note", where: catalogPlace, what, repaired });
      }
      const files = createStoredFiles(folders);
      const means = { folders, files, frames, redraw, nowMs, signal, report };
      const context = createRepairContext(database, means);
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
  conclude: Reporter["conclude"],
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
  await repairSteps(work.steps, context);
  await repairOverlays(work.overlays, context);
  await removeOrphans(work.orphans, context);
  const last = found.findings.length === 0 ? found : await verify();
  return conclude(last, withdrawn);
}

interface Work {
  readonly revisions: readonly DamagedRevision[];
  readonly events: ReadonlyMap<string, readonly Finding[]>;
  /** Missing or damaged frames. */
  readonly frames: readonly string[];
  readonly orphans: readonly string[];
  /** Events whose briefing has damaged steps. */
  readonly steps: readonly string[];
  readonly overlays: readonly DamagedOverlay[];
}

function sortFindings(findings: readonly Finding[]): Work {
  const byPlace = Map.groupBy(findings, ({ where }) => where);
  const revisions: DamagedRevision[] = [];
  const events = new Map<string, readonly Finding[]>();
  const frames: string[] = [];
  const orphans: string[] = [];
  const steps: string[] = [];
  const overlays: DamagedOverlay[] = [];
  for (const [where, found] of byPlace) {
    const place = parsePlace(where);
    if (place.kind === "revision") revisions.push({ ...place, faults: found });
    if (place.kind === "steps") steps.push(place.eventId);
    if (place.kind === "overlay") overlays.push(place);
    if (place.kind === "event") events.set(place.eventId, found);
    if (place.kind === "frame") {
      const isFault = found.some(({ severity }) => severity === "fault");
      (isFault ? frames : orphans).push(place.frameId);
    }
  }
  return { revisions, events, frames, orphans, steps, overlays };
}

/** Returns false if the catalog is missing, newer than this Echotop, or not a database: nothing here can repair it. */
function canBeOpened({ catalogFile }: DataDirectory): boolean {
  if (!existsSync(catalogFile)) return false;
  try {
    checkVersion(catalogFile, catalogKind);
    return true;
  } catch (error) {
    const known = toStorageError(error, "It cannot be read");
    if (isAppError(known, "conflict") || isAppError(known, "stored-data-invalid")) return false;
    throw error;
  }
}

/** Runs `work` without retention and backups, which must not see a half-finished repair. */
async function aloneWithFiles<Result>(
  { retentionLock }: DataDirectory,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const startedMs = performance.now();
  for (;;) {
    const outcome = await withRetentionLock(retentionLock, async () => ({ value: await work() }));
    if (outcome) return outcome.value;
    if (performance.now() - startedMs > patienceMs) {
      throw new AppError(
        "conflict",
        "A backup or another repair of this directory is in progress; try again later.",
      );
    }
    await delay(50, undefined, { signal });
  }
}

/** Returns the version of an older catalog; undefined for a current or empty one. */
function findOldVersion({ catalogFile }: DataDirectory): number | undefined {
  const database = openUntouched(catalogFile);
  try {
    const version = readVersion(database, catalogKind);
    return version === 0 || version === migrations.at(-1)?.version ? undefined : version;
  } finally {
    database.close();
  }
}
