// Proves a data directory sound, or names every fault with what and where. Changes nothing, and works on a directory that
// is damaged in any way: what cannot be read is a finding.
import { existsSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { isAppError, messageOf } from "../../shared/app-error.ts";
import { dataDirectory, type DataDirectory } from "./data-directory.ts";
import { openUntouched } from "./database.ts";
import { createFindings, createSteps, type Finding, type Findings, type Steps } from "./findings.ts";
import { migrations, readVersion } from "./migrate.ts";
import { prepare } from "./queries.ts";
import { toStorageError } from "./storage-error.ts";
import { verifyEvents } from "./verify-events.ts";
import {
  createShownFrames,
  listNames,
  verifyFrameIds,
  verifyFrames,
  type ShownFrames,
} from "./verify-frames.ts";
import { verifyRevisions } from "./verify-revisions.ts";

export type { Finding } from "./findings.ts";

export interface VerifyReport {
  /** In the order in which they were found: the catalog's first. */
  readonly findings: readonly Finding[];
  /** How many things were looked at. */
  readonly counts: { readonly events: number; readonly revisions: number; readonly frames: number };
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
    return { findings: findings.list, counts: { ...noRows, frames: 0 } };
  }
  const database = openForReading(folders, findings);
  try {
    const { counts, shown } = await verifyCatalog(database, findings, steps);
    const frames = await verifyFrames(folders, shown, findings, steps);
    if (!existsSync(folders.catalogFile)) reportMissingCatalog(frames, findings);
    for (const name of await listNames(folders.stagingFolder, "staging", findings)) {
      findings.note(`staging/${name}`, "It is on its way, or left over from a crash.");
    }
    return { findings: findings.list, counts: { ...counts, frames } };
  } finally {
    database?.close();
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function reportMissingCatalog(frames: number, findings: Findings): void {
  if (frames > 0) findings.fault(catalogName, "It is missing, although there are frames.");
  else findings.note(catalogName, "There is none yet: nothing was published here.");
}

/** A connection on one committed state of a catalog of our version; undefined where there is none, with the reason found. */
function openForReading({ catalogFile }: DataDirectory, findings: Findings): DatabaseSync | undefined {
  if (!existsSync(catalogFile)) return undefined;
  let database: DatabaseSync | undefined;
  try {
    database = openUntouched(catalogFile);
    database.exec("BEGIN");
    const version = readVersion(database);
    if (version === migrations.at(-1)?.version) return database;
    if (version === 0) findings.note(catalogName, "It is empty: nothing was published here.");
    else
      findings.fault(
        catalogName,
        `It has the older version ${version}; Echotop brings it up to date by opening it.`,
      );
  } catch (error) {
    findings.fault(catalogName, explain(error));
  }
  database?.close();
  return undefined;
}

/** A catalog that cannot tell which frames are shown. */
const unknownFrames: ShownFrames = { withPrefix: () => undefined, placeOf: () => "" };

async function verifyCatalog(
  database: DatabaseSync | undefined,
  findings: Findings,
  steps: Steps,
): Promise<{ counts: CatalogCounts; shown: ShownFrames }> {
  if (!database) return { counts: noRows, shown: unknownFrames };
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
  return { counts, shown };
}

/** A damaged page may come to light late: it is one fault, and from there on the catalog cannot tell. */
function untilItFails(shown: ShownFrames, findings: Findings): ShownFrames {
  let failed = false;
  return {
    ...shown,
    withPrefix(prefix) {
      if (failed) return undefined;
      try {
        return shown.withPrefix(prefix);
      } catch (error) {
        failed = true;
        findings.fault(catalogName, explain(error));
        return undefined;
      }
    },
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
