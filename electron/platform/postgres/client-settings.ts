// Settings of one connection to one host. `pg` is loaded when the first one is made.
import type pg from "pg";
import type { ClientConfig } from "pg";
import type { DatabaseAddress, DatabaseHost } from "./database-url.ts";
import { findPassword } from "./password-file.ts";
import { findTlsOptions } from "./tls-options.ts";

export type Pg = typeof pg;

export async function loadPg(): Promise<Pg> {
  return (await import("pg")).default;
}

/** Most time that a statement of a transaction may take. */
export const statementMs = 10_000;
/** Most time that the server has for a read. */
const readMs = 3_000;
/** Longer than the server's limits, so that only a connection that is silently dead meets them. */
export const readAnswerMs = readMs + 500;
const answerMs = statementMs + 2_000;

const int8 = 20;

type TypeParser = (text: string) => unknown;

export async function toClientConfig(
  address: DatabaseAddress,
  host: DatabaseHost,
  { types }: Pg,
): Promise<ClientConfig> {
  const { database, user, connectTimeoutMs } = address;
  return {
    ...host,
    database,
    user,
    password: async () => (await findPassword(host, { database, user }))!,
    ssl: await findTlsOptions(address),
    application_name: "echotop",
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    // Statements that do not wait for each other share one round trip.
    pipeline: true,
    keepAliveInitialDelayMillis: 5_000,
    // Transactions set a longer one.
    statement_timeout: readMs,
    query_timeout: answerMs,
    // A process that was stopped must not hold its locks longer than others wait for them.
    idle_in_transaction_session_timeout: statementMs / 2,
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary"): TypeParser =>
        oid === int8 ? parseSafely : (types.getTypeParser(oid, format) as TypeParser),
    },
  };
}

/** Numbers beyond 2^53 would change silently. */
export function parseSafely(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError("A number of the database is too large.");
  return number;
}
