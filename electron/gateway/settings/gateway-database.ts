// How the gateway opens its SQLite files, those of settings and of the request log: brought to the present version, or
// refused untouched where a newer Echotop or another program has written them.
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AppError, messageOf } from "../../../shared/app-error.ts";

export interface Migration {
  /** 1, 2, 3 … without a gap. */
  readonly version: number;
  readonly sql: string;
}

export interface GatewayFile {
  readonly path: string;
  /** SQLite's `application_id` of the file. */
  readonly applicationId: number;
  readonly migrations: readonly Migration[];
  /** What is in it, for a sentence: "The gateway's settings". */
  readonly subject: string;
  /** Whether this process alone may have it. */
  readonly sharing: "exclusive" | "shared";
  /** `durable`: what is committed outlives a power cut. `batched`: the last moments may be lost, the file stays sound. */
  readonly durability: "durable" | "batched";
}

/** How long anything waits for another process to let go: the thread stands still meanwhile. */
const patienceMs = 250;
/** Result codes of SQLite (sqlite3.h): somebody else holds it. */
const busyCodes: readonly number[] = [5, 6];

/**
 * File and folder are made where they are missing.
 * @throws AppError `conflict` for a file of a newer version, of another program, or in use by another host; `storage-failed`
 */
export function openGatewayDatabase(file: GatewayFile): DatabaseSync {
  try {
    makeFolder(dirname(file.path));
    if (existsSync(file.path)) checkVersion(file);
    return open(file);
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (isBusy(error)) {
      throw new AppError("conflict", `${file.subject} are in use by another Echotop.`, { cause: error });
    }
    throw new AppError("storage-failed", `${file.subject} cannot be opened: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** The folder's own name is made durable in its parent; SQLite does so for the files in it. */
function makeFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) === undefined || process.platform === "win32")
    return;
  const parent = openSync(dirname(folder), "r");
  try {
    fsyncSync(parent);
  } catch (error) {
    // Some networks' file systems have no such call.
    if (!["EINVAL", "ENOTSUP"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    closeSync(parent);
  }
}

/** Changes nothing: not even a log that a crash has left is folded in. */
function checkVersion(file: GatewayFile): void {
  // Without a log, a read-only connection would leave an empty one behind and an ordinary one leaves nothing.
  const readOnly = existsSync(`${file.path}-wal`);
  const database = new DatabaseSync(file.path, { readOnly, timeout: patienceMs });
  try {
    database.exec("PRAGMA query_only = ON");
    readVersion(database, file);
  } finally {
    database.close();
  }
}

function open(file: GatewayFile): DatabaseSync {
  const database = new DatabaseSync(file.path, { timeout: patienceMs });
  try {
    if (file.sharing === "exclusive") database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.exec("PRAGMA journal_mode = WAL");
    database.exec(`PRAGMA synchronous = ${file.durability === "durable" ? "FULL" : "NORMAL"}`);
    transact(database, () => {
      const version = readVersion(database, file);
      for (const migration of file.migrations) if (migration.version > version) database.exec(migration.sql);
      database.exec(`PRAGMA user_version = ${newestOf(file)}`);
      database.exec(`PRAGMA application_id = ${file.applicationId}`);
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** 0 for a file that is still empty. */
function readVersion(database: DatabaseSync, file: GatewayFile): number {
  const version = readPragma(database, "user_version");
  const application = readPragma(database, "application_id");
  const tables = database.prepare("SELECT count(*) AS count FROM sqlite_schema").get()?.count;
  const isEmpty = version === 0 && application === 0 && tables === 0;
  if (!isEmpty && application !== file.applicationId) {
    throw new AppError("conflict", `${file.subject} of this data directory belong to another program.`);
  }
  if (version > newestOf(file)) {
    throw new AppError(
      "conflict",
      `${file.subject} have version ${version}, written by a newer Echotop; this one knows versions up to ${newestOf(file)}.`,
    );
  }
  return version;
}

function newestOf({ migrations }: GatewayFile): number {
  return migrations.at(-1)?.version ?? 0;
}

function readPragma(database: DatabaseSync, name: "user_version" | "application_id"): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}

/** Whatever `body` throws rolls it back. */
export function transact<Result>(database: DatabaseSync, body: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = body();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // A full disk may have rolled back by itself.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return false;
  return busyCodes.includes(error.errcode & 0xff);
}
