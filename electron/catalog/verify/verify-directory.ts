// Verifies a data directory: reports each fault with its place. Changes nothing. Works on any damaged directory: what
// cannot be read is a finding.
import { existsSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backup, type DatabaseSync } from "node:sqlite";
import { readVersion } from "../../platform/sqlite/file-version.ts";
import { openUntouched } from "../../platform/sqlite/open-sqlite-file.ts";
import { openDatabase } from "../sqlite/catalog-database.ts";
import { dataDirectory, type DataDirectory } from "../files/data-directory.ts";
import { catalogPlace } from "./finding-places.ts";
import {
  createFindings,
  createSteps,
  explainDamage,
  type Finding,
  type Findings,
  type Steps,
} from "./findings.ts";
import type { CatalogCounts } from "../rows/stored-rows.ts";
import { countRows, createPrepare, type Prepare, prepareIsShown } from "../sqlite/queries.ts";
import { catalogKind, migrations } from "../sqlite/schema/catalog-schema.ts";
import { iterateEvents, iterateOverlays, iterateRevisions, iterateSteps } from "./directory-checks.ts";
import { verifyEvents } from "./verify-events.ts";
import {
  createShownFrames,
  listNames,
  verifyFrameIds,
  verifyFrames,
  type ShownFrames,
} from "./verify-frames.ts";
import { verifyRevisions } from "./verify-revisions.ts";
import { verifySources } from "./verify-sources.ts";
import { verifyOverlays } from "./verify-overlays.ts";
import { verifySteps } from "./verify-steps.ts";

export type { Finding } from "./findings.ts";

export interface VerifyReport {
  /** In the order of discovery: the catalog's first. */
  readonly findings: readonly Finding[];
  readonly counts: {
    readonly events: number;
    readonly revisions: number;
    readonly frames: number;
    /** Stored source files. */
    readonly sources: number;
  };
}

export interface VerifyOptions {
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const noRows: CatalogCounts = { events: 0, revisions: 0 };

/**
 * Checks all frame files, manifests and rows against each other, as of one committed state. Other processes may write
 * meanwhile. @throws the signal's reason; never throws because of damage
 */
export async function verifyDirectory(
  directory: string,
  { onProgress = () => undefined, signal }: VerifyOptions = {},
): Promise<VerifyReport> {
  const findings = createFindings();
  const steps = createSteps(onProgress, signal);
  const folders = dataDirectory(directory);
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    findings.fault(".", "There is no such data directory.");
    return { findings: findings.list, counts: { ...noRows, frames: 0, sources: 0 } };
  }
  const catalog = await openForReading(folders, findings);
  try {
    const { counts, shown, isUsed } = await verifyCatalog(catalog?.database, findings, steps);
    const frames = await verifyFrames(folders, shown, findings, steps);
    if (!existsSync(folders.catalogFile)) reportMissingCatalog(frames, findings);
    for (const name of await listNames(folders.stagingFolder, "staging", findings)) {
      findings.note(`staging/${name}`, "It is being written, or left over from a crash.");
    }
    const sources = await verifySources(folders, isUsed, findings, steps);
    return { findings: findings.list, counts: { ...counts, frames, sources } };
  } finally {
    await catalog?.close();
  }
}

function reportMissingCatalog(frames: number, findings: Findings): void {
  if (frames > 0) findings.fault(catalogPlace, "It is missing, but there are frames.");
  else findings.note(catalogPlace, "It does not exist yet: nothing was published here.");
}

interface OpenedCatalog {
  readonly database: DatabaseSync;
  close(): Promise<void>;
}

/**
 * Opens one committed state of the catalog; an older version is migrated in a copy. Returns undefined if there is
 * nothing to verify, and reports why.
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
      const close = (): Promise<void> => {
        database.close();
        return Promise.resolve();
      };
      return { database, close };
    }
    if (version > 0) {
      const copy = await openMigratedCopy(database);
      findings.note(
        catalogPlace,
        `It has the older version ${version}; Echotop updates it when it opens it.`,
      );
      database.close();
      return copy;
    }
    findings.note(catalogPlace, "It is empty: nothing was published here.");
  } catch (error) {
    findings.fault(catalogPlace, explainDamage(error));
  }
  if (opened?.isOpen === true) opened.close();
  return undefined;
}

/** Migrates a temporary copy of `original`, which stays open. @throws errors of SQLite and of the temporary folder */
async function openMigratedCopy(original: DatabaseSync): Promise<OpenedCatalog> {
  const folder = await mkdtemp(join(tmpdir(), "echotop-catalog-"));
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const file = join(folder, "catalog.sqlite");
    await backup(original, file);
    const database = await openDatabase(file, "read");
    return {
      database,
      close: async () => {
        if (database.isOpen) database.close();
        await removeFolder();
      },
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

/** Stands for a catalog that cannot be read. */
const unknownFrames: ShownFrames = {
  withPrefix: () => undefined,
  placeOf: () => "a revision",
  isCondemned: () => false,
};

interface VerifiedCatalog {
  readonly counts: CatalogCounts;
  readonly shown: ShownFrames;
  /** Returns true if a revision was made from a source file; undefined if the catalog is unreadable. */
  readonly isUsed: ((sha256: string) => boolean) | undefined;
}

async function verifyCatalog(
  database: DatabaseSync | undefined,
  findings: Findings,
  steps: Steps,
): Promise<VerifiedCatalog> {
  if (!database) return { counts: noRows, shown: unknownFrames, isUsed: undefined };
  const prepare = createPrepare(database);
  const guarded = async <Result>(
    otherwise: Result,
    work: () => Promise<Result> | Result,
  ): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      findings.fault(catalogPlace, explainDamage(error));
      return otherwise;
    }
  };
  await guarded(undefined, () => {
    verifyDatabase(prepare, findings);
  });
  const counts = await guarded(noRows, () => countRows(prepare));
  steps.expect(counts.events + counts.revisions);
  await guarded(undefined, () => verifyEvents(iterateEvents(prepare), findings, steps));
  await guarded(undefined, () => verifyRevisions(iterateRevisions(prepare), findings, steps));
  await guarded(undefined, () => verifySteps(iterateSteps(prepare), findings));
  await guarded(undefined, () => verifyOverlays(iterateOverlays(prepare), findings));
  const shown = await guarded(unknownFrames, () => {
    verifyFrameIds(prepare, findings);
    return guardShown(createShownFrames(prepare), createGuard(findings));
  });
  const isUsed = await guarded(undefined, () => prepareIsShown(prepare, "source"));
  const guard = createGuard(findings);
  // From a damaged page on, each file counts as used: none is called an orphan by mistake.
  return { counts, shown, isUsed: isUsed && ((sha256) => guard(true, () => isUsed(sha256))) };
}

type Guard = <Result>(otherwise: Result, look: () => Result) => Result;

/**
 * Returns a guard that reports the first failure as one fault, and from then on answers `otherwise` without looking.
 */
function createGuard(findings: Findings): Guard {
  let failed = false;
  return (otherwise, look) => {
    if (failed) return otherwise;
    try {
      return look();
    } catch (error) {
      failed = true;
      findings.fault(catalogPlace, explainDamage(error));
      return otherwise;
    }
  };
}

function guardShown(shown: ShownFrames, guard: Guard): ShownFrames {
  return {
    withPrefix: (prefix) => guard(unknownFrames.withPrefix(prefix), () => shown.withPrefix(prefix)),
    placeOf: (frameId) => guard(unknownFrames.placeOf(frameId), () => shown.placeOf(frameId)),
    isCondemned: (frameId) => guard(unknownFrames.isCondemned(frameId), () => shown.isCondemned(frameId)),
  };
}

/** Runs SQLite's own checks of its file and of the references between rows. */
function verifyDatabase(prepare: Prepare, findings: Findings): void {
  const integrity = prepare<{ integrity_check: string }>("PRAGMA integrity_check");
  for (const { integrity_check } of integrity.all()) {
    if (integrity_check !== "ok") findings.fault(catalogPlace, `SQLite reports: ${integrity_check}.`);
  }
  if (!prepare("SELECT 1 FROM catalog_state WHERE id = 1").first()) {
    findings.fault(catalogPlace, "The row of the change counters is missing.");
  }
  const references = prepare<{ table: string; parent: string }>("PRAGMA foreign_key_check");
  for (const { table, parent } of references.all()) {
    findings.fault(catalogPlace, `A row of ${table} belongs to a missing row of ${parent}.`);
  }
}
