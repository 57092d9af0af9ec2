// A PostgreSQL service: single statements, and transactions that are repeated where that is safe.
import type { PoolClient, QueryResultRow } from "pg";
import { sha256Of } from "../sha256.ts";
import { loadPg, readAnswerMs, statementMs } from "./client-settings.ts";
import {
  CommitUnknownError,
  failedTransaction,
  isLost,
  isRetryable,
  isUnanswered,
  sqlState,
  toDatabaseError,
} from "./database-error.ts";
import { parseDatabaseUrl } from "./database-url.ts";
import { listen, type Listening, type ListenOptions } from "./listen.ts";
import { PrimaryPool } from "./primary-pool.ts";

export type SqlValue = string | number | boolean | null | Uint8Array | readonly (string | number | null)[];

export interface Session {
  /**
   * Runs one statement, prepared once for each connection. Statements run in the order of the calls; those that nobody
   * waits for in between share a round trip. @throws the error of the server
   */
  readonly query: <Row extends QueryResultRow>(
    sql: string,
    values?: readonly SqlValue[],
  ) => Promise<readonly Row[]>;
  /** Runs several statements without values, such as a migration's; they may take an hour. */
  readonly execute: (sql: string) => Promise<void>;
}

/**
 * A `durable` transaction is on the disks that the server's settings demand, also of a standby. A crash of the server
 * may lose `lazy` ones of its last second.
 */
export type CommitDurability = "durable" | "lazy";

export interface Database {
  /**
   * Reads with one statement, on the host that takes writes. Repeated after a lost connection.
   * @throws AppError as `transact` does
   */
  readonly read: Session["query"];
  /** Reads as `read` does, but prepares nothing: for statements whose text differs from call to call. */
  readonly ask: Session["query"];
  /**
   * Runs `body` in a transaction (READ COMMITTED), and again after a deadlock, or a lost connection before the commit.
   * @throws AppError: the body's own; `CommitUnknownError`; `storage-unavailable` if no host takes writes in time;
   * `storage-failed` if the server refuses
   */
  readonly transact: <Result>(
    durability: CommitDurability,
    body: (session: Session) => Promise<Result>,
  ) => Promise<Result>;
  /** Calls back for notifications, and once after each new connection: some may have been missed. */
  listen(options: ListenOptions): Listening;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Most connections; default 10. */
  readonly connections?: number;
  readonly patienceMs?: Partial<Patience>;
}

interface Patience {
  /** Most time to look for a host that takes writes and for a free connection, for a transaction. */
  readonly transact: number;
  /** The same for a read. */
  readonly read: number;
  /** Most time for the answer of a statement in a transaction, which may wait for locks. */
  readonly statement: number;
  /** Most time for the answer of a commit, which waits for a standby. */
  readonly commit: number;
}

const defaultConnections = 10;
const defaultPatienceMs: Patience = {
  transact: 30_000,
  read: 5_000,
  statement: statementMs,
  commit: 15_000,
};
const longMs = 3_600_000;

/** Connects at once. @throws AppError that names `catalog.url` and says what to do */
export async function openDatabase({
  url,
  connections = defaultConnections,
  patienceMs: given = {},
}: DatabaseOptions): Promise<Database> {
  const patienceMs = { ...defaultPatienceMs, ...given };
  const address = parseDatabaseUrl(url);
  const pool = new PrimaryPool(address, await loadPg(), connections);
  const readWith =
    (toName: (sql: string) => string | undefined): Session["query"] =>
    (sql, values) =>
      explained(patienceMs.read, isLost, (leftMs) =>
        pool.use(leftMs, (client) =>
          run(client, { sql, values, name: toName(sql), timeoutMs: readAnswerMs }),
        ),
      );
  const database: Database = {
    read: readWith(nameOf),
    ask: readWith(() => undefined),
    transact: (durability, body) =>
      explained(
        patienceMs.transact,
        (error) => isLost(error) || isRetryable(error),
        (leftMs) => pool.use(leftMs, (client) => runTransaction(client, { durability, patienceMs }, body)),
      ),
    listen: (options) => listen(pool, options),
    close: () => pool.close(),
  };
  try {
    await database.read("SELECT 1");
  } catch (error) {
    await pool.close();
    throw error;
  }
  return database;
}

/** Repeats an attempt as long as its error is a passing one and there is time. */
async function explained<Result>(
  patienceMs: number,
  isPassing: (error: unknown) => boolean,
  attempt: (leftMs: number) => Promise<Result>,
): Promise<Result> {
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    try {
      return await attempt(Math.max(0, deadlineMs - performance.now()));
    } catch (error) {
      if (!isPassing(error) || performance.now() > deadlineMs) throw toDatabaseError(error);
    }
  }
}

/** Replaces what PostgreSQL's text cannot hold: the character NUL, and half of a surrogate pair. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

function toStorable(value: SqlValue): SqlValue {
  if (typeof value === "string") return toStorableText(value);
  return Array.isArray(value) ? (value.map(toStorable) as SqlValue) : value;
}

const names = new Map<string, string>();

/** Names a prepared statement after its text. */
function nameOf(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = sha256Of(Buffer.from(sql)).slice(0, 32);
  names.set(sql, name);
  return name;
}

interface Statement {
  readonly sql: string;
  readonly values?: readonly SqlValue[] | undefined;
  /** Name of the prepared statement; undefined prepares none. */
  readonly name: string | undefined;
  readonly timeoutMs?: number;
}

async function run<Row extends QueryResultRow>(
  client: PoolClient,
  { sql, values = [], name, timeoutMs }: Statement,
): Promise<readonly Row[]> {
  const query = { ...(name !== undefined && { name }), text: sql, values: values.map(toStorable) };
  const { rows } = await client.query<Row>(
    timeoutMs === undefined ? query : Object.assign(query, { query_timeout: timeoutMs }),
  );
  return rows;
}

async function runTransaction<Result>(
  client: PoolClient,
  { durability, patienceMs }: { readonly durability: CommitDurability; readonly patienceMs: Patience },
  body: (session: Session) => Promise<Result>,
): Promise<Result> {
  const lazily = durability === "lazy" ? "; SET LOCAL synchronous_commit = off" : "";
  const begun = client.query(`BEGIN; SET LOCAL statement_timeout = ${patienceMs.statement}${lazily}`);
  // The next statement on a broken connection gets the same error.
  begun.catch(() => undefined);
  let result: Result;
  let firstError: unknown;
  try {
    result = await body({
      query: async (sql, values) => {
        try {
          return await run(client, { sql, values, name: nameOf(sql) });
        } catch (error) {
          firstError ??= error;
          throw error;
        }
      },
      execute: async (sql) => {
        const text = `SET LOCAL statement_timeout = ${longMs}; ${sql}`;
        await client.query(Object.assign({ text }, { query_timeout: longMs }));
      },
    });
  } catch (error) {
    if (!isLost(error)) await client.query("ROLLBACK");
    // Statements of the same round trip fail because of the first, and `body` may notice them before it.
    throw sqlState(error) === failedTransaction ? firstError : error;
  }
  await begun;
  await commit(client, patienceMs.commit);
  return result;
}

/** Warnings that the server gives up waiting for a standby: the change may be on one disk only. */
const unconfirmed = ["01000", "57P01"];

/** @throws CommitUnknownError if the answer is lost; the error of the server if it has rolled back */
async function commit(client: PoolClient, commitMs: number): Promise<void> {
  let warning: string | undefined;
  const onNotice = ({ code = "" }: { code?: string | undefined }): void => {
    if (unconfirmed.includes(code)) warning = code;
  };
  client.on("notice", onNotice);
  try {
    // The limit for statements would end the wait for a standby, and the server would then confirm all the same.
    const text = "SET LOCAL statement_timeout = 0; COMMIT";
    await client.query(Object.assign({ text }, { query_timeout: commitMs }));
  } catch (error) {
    if (sqlState(error) !== undefined && !isLost(error)) throw error;
    throw new CommitUnknownError(isUnanswered(error) ? "no standby" : "connection lost", error);
  } finally {
    client.off("notice", onNotice);
  }
  if (warning !== undefined) throw new CommitUnknownError("no standby", warning);
}
