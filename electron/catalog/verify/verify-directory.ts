// Proves a data directory sound, or names every fault with what and where. Changes nothing, and works on a directory that
// is damaged in any way: what cannot be read is a finding.
import { existsSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { isAppError, messageOf } from "../../../shared/app-error.ts";
import { readVersion } from "../../platform/sqlite/file-version.ts";
import { openUntouched } from "../../platform/sqlite/open-sqlite-file.ts";
import { dataDirectory, type DataDirectory } from "../files/data-directory.ts";
import { createFindings, createSteps, type Finding, type Findings, type Steps } from "./findings.ts";
import { openMigratedCopy } from "./migrated-copy.ts";
import { prepare } from "../queries.ts";
import { catalogKind, migrations } from "../catalog-schema.ts";
import { toStorageError } from "../../platform/disk/storage-error.ts";
import { verifyEvents } from "./verify-events.ts";
import {
  createShownFrames,
  listNames,
  verifyFrameIds,
  verifyFrames,
  type ShownFrames,
} from "./verify-frames.ts";
import { verifyRevisions } from "./verify-revisions.ts";
import { createIsUsed, verifySources } from "./verify-sources.ts";

export type { Finding } from "./findings.ts";

export interface VerifyReport {
  /** In the order in which they were found: the catalog's first. */
  readonly findings: readonly Finding[];
  /** How many things were looked at. */
  readonly counts: {
    readonly events: number;
    readonly revisions: number;
    readonly frames: number;
    /** Kept source files. */
    readonly sources: number;
  };
}

export interface VerifyOptions {
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface CatalogCounts {
  readonly events: number;
  readonly revisions: number;
}

const catalogName = "catalog.sqlite";
const noRows: CatalogCounts = { events: 0, revisions: 0 };

/**
 * Checks every frame file, manifest and row against each other, as of one committed state; writers may go on meanwhile.
 * @throws the signal's reason; damage is never thrown
 */
export async function verifyDirectory(
  directory: string,
  { onProgress = () => undefined, signal }: VerifyOptions = {},
): Promise<VerifyReport> {
  const findings = createFindings();
  const steps = createSteps(onProgress, signal);
  const folders = dataDirectory(directory);
  if (!isFolder(directory)) {
    findings.fault(".", "There is no such data directory.");
    return { findings: findings.list, counts: { ...noRows, frames: 0, sources: 0 } };
  }
  const catalog = await openForReading(folders, findings);
  try {
    const { counts, shown, isUsed } = await verifyCatalog(catalog?.database, findings, steps);
    const frames = await verifyFrames(folders, shown, findings, steps);
    if (!existsSync(folders.catalogFile)) reportMissingCatalog(frames, findings);
    for (const name of await listNames(folders.stagingFolder, "staging", findings)) {
      findings.note(`staging/${name}`, "It is on its way, or left over from a crash.");
    }
    const sources = await verifySources(folders, isUsed, findings, steps);
    return { findings: findings.list, counts: { ...counts, frames, sources } };
  } finally {
    await catalog?.close();
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function reportMissingCatalog(frames: number, findings: Findings): void {
  if (frames > 0) findings.fault(catalogName, "It is missing, although there are frames.");
  else findings.note(catalogName, "There is none yet: nothing was published here.");
}

interface OpenedCatalog {
  readonly database: DatabaseSync;
  close(): Promise<void>;
}

/**
 * A connection on one committed state of a catalog; one of an older version is seen as it will be. Undefined where there is
 * none, with the reason found.
 */
async function openForReading(
  { catalogFile }: DataDirectory,
  findings: Findings,
): Promise<OpenedCatalog | undefined> {
  if (!existsSync(catalogFile)) return undefined;
  let opened: DatabaseSync | undefined;
  try {
    const database = openUntouched(catalogFile);
    opened = database;
    database.exec("BEGIN");
    const version = readVersion(database, catalogKind);
    if (version === migrations.at(-1)?.version) {
      return {
        database,
        close: () => {
          database.close();
          return Promise.resolve();
        },
      };
    }
    if (version > 0) {
      const copy = await openMigratedCopy(database);
      findings.note(
        catalogName,
        `It has the older version ${version}; Echotop brings it up to date by opening it.`,
      );
      database.close();
      return copy;
    }
    findings.note(catalogName, "It is empty: nothing was published here.");
  } catch (error) {
    findings.fault(catalogName, explain(error));
  }
  if (opened?.isOpen === true) opened.close();
  return undefined;
}

/** A catalog that cannot tell which frames are shown. */
const unknownFrames: ShownFrames = {
  withPrefix: () => undefined,
  placeOf: () => "a revision",
  isCondemned: () => false,
};

interface VerifiedCatalog {
  readonly counts: CatalogCounts;
  readonly shown: ShownFrames;
  /** Whether a revision was made of a source file; undefined where the catalog cannot tell. */
  readonly isUsed: ((sha256: string) => boolean) | undefined;
}

async function verifyCatalog(
  database: DatabaseSync | undefined,
  findings: Findings,
  steps: Steps,
): Promise<VerifiedCatalog> {
  if (!database) return { counts: noRows, shown: unknownFrames, isUsed: undefined };
  const guarded = async <Result>(
    otherwise: Result,
    work: () => Promise<Result> | Result,
  ): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      findings.fault(catalogName, explain(error));
      return otherwise;
    }
  };
  await guarded(undefined, () => {
    verifyDatabase(database, findings);
  });
  const counts = await guarded(noRows, () => countRows(database));
  steps.expect(counts.events + counts.revisions);
  await guarded(undefined, () => verifyEvents(database, findings, steps));
  await guarded(undefined, () => verifyRevisions(database, findings, steps));
  const shown = await guarded(unknownFrames, () => {
    verifyFrameIds(database, findings);
    return untilItFails(createShownFrames(database), findings);
  });
  const isUsed = await guarded(undefined, () => createIsUsed(database));
  return { counts, shown, isUsed: isUsed && untilItThrows(isUsed, findings) };
}

/** From a damaged page on, every file counts as used: nothing is called an orphan that may be none. */
function untilItThrows(isUsed: (sha256: string) => boolean, findings: Findings): (sha256: string) => boolean {
  let failed = false;
  return (sha256) => {
    if (failed) return true;
    try {
      return isUsed(sha256);
    } catch (error) {
      failed = true;
      findings.fault(catalogName, explain(error));
      return true;
    }
  };
}

/** A damaged page may come to light late: it is one fault, and from there on the catalog cannot tell. */
function untilItFails(shown: ShownFrames, findings: Findings): ShownFrames {
  let failed = false;
  const guarded = <Result>(otherwise: Result, look: () => Result): Result => {
    if (failed) return otherwise;
    try {
      return look();
    } catch (error) {
      failed = true;
      findings.fault(catalogName, explain(error));
      return otherwise;
    }
  };
  return {
    withPrefix: (prefix) => guarded(unknownFrames.withPrefix(prefix), () => shown.withPrefix(prefix)),
    placeOf: (frameId) => guarded(unknownFrames.placeOf(frameId), () => shown.placeOf(frameId)),
    isCondemned: (frameId) => guarded(unknownFrames.isCondemned(frameId), () => shown.isCondemned(frameId)),
  };
}

/** SQLite's own checks of its file and of the references between rows. */
function verifyDatabase(database: DatabaseSync, findings: Findings): void {
  const integrity = prepare<{ integrity_check: string }>(database, "PRAGMA integrity_check");
  for (const { integrity_check } of integrity.all()) {
    if (integrity_check !== "ok") findings.fault(catalogName, `SQLite says: ${integrity_check}.`);
  }
  if (!prepare(database, "SELECT 1 FROM catalog_state WHERE id = 1").first()) {
    findings.fault(catalogName, "The row that counts changes is missing.");
  }
  const references = prepare<{ table: string; parent: string }>(database, "PRAGMA foreign_key_check");
  for (const { table, parent } of references.all()) {
    findings.fault(catalogName, `A row of ${table} belongs to a row of ${parent} that is not there.`);
  }
}

function countRows(database: DatabaseSync): CatalogCounts {
  const counts = prepare<CatalogCounts>(
    database,
    "SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM revisions) AS revisions",
  ).first();
  return { events: counts?.events ?? 0, revisions: counts?.revisions ?? 0 };
}

function explain(error: unknown): string {
  const known = toStorageError(error, "It cannot be read");
  if (isAppError(known)) return known.detail;
  const text = messageOf(error);
  // SQLite's words for a table or a column that somebody took away.
  if (error instanceof Error && "errcode" in error) return `It cannot be read: ${text}.`;
  throw error;
}
