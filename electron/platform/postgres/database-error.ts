// Converts errors of PostgreSQL and of connections to it to an AppError with a sentence that says what to do.
import { AppError } from "../../../shared/app-error.ts";
import { systemCode } from "../disk/storage-error.ts";

const unconfirmedSentences = {
  "connection lost": "The database did not confirm whether it stored the last change.",
  "no standby":
    "No standby has confirmed the last change, which may still appear and is written again: check that a standby of " +
    "synchronous_standby_names is connected to the database.",
} as const;

/**
 * The connection was lost while the database committed, or no standby confirmed it: nobody knows if the change stays.
 * Work that may be repeated asks the database again.
 */
export class CommitUnknownError extends AppError {
  constructor(reason: keyof typeof unconfirmedSentences, cause: unknown) {
    super("storage-unavailable", unconfirmedSentences[reason], { cause });
  }
}

/** No connection was free in time. */
export class AllInUseError extends AppError {
  constructor() {
    super(
      "storage-unavailable",
      "All connections to the database of `catalog.url` are in use: look for slow statements and locks there.",
    );
  }
}

/** SQLSTATE codes (appendix A of PostgreSQL's manual). */
export const foreignKeyViolation = "23503";
export const undefinedTable = "42P01";
export const failedTransaction = "25P02";
const readOnlyTransaction = "25006";
const statementTimeout = "57014";
const retryable = ["40001", "40P01"];
/** The server ends the connection, because it shuts down or waited too long for the client. */
const ended = ["57P01", "57P02", "57P03", "57P05", "25P03"];

const refusals: Readonly<Record<string, string>> = {
  "28P01":
    "refused the user or the password: check the user in `catalog.url` and PGPASSWORD or the pgpass file",
  "28000": "refused the user: check the user in `catalog.url`, the server's pg_hba.conf and sslmode",
  "3D000": "does not exist: create it, or correct its name in `catalog.url`",
  [undefinedTable]: "lacks a table of this version: run echotop migrate",
  "42501": "forbids it: grant the user of `catalog.url` the rights, or use the owner of the tables",
  "53100": "has no room on its disk: free some",
  "53300": "has too many connections: raise its max_connections",
};

/** Reasons why TLS failed, by Node's code. */
const tlsReasons: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name than `catalog.url` has",
  CERT_HAS_EXPIRED: "its certificate has expired",
};
const untrusted =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_SSL|EPROTO)/;

/** Returns the five characters of PostgreSQL's error code, if the server answered with one. */
export function sqlState(error: unknown): string | undefined {
  const code = systemCode(error);
  const isAnswer = error instanceof Error && "severity" in error;
  return isAnswer && code !== undefined ? code : undefined;
}

/** True if the transaction only met another one: it may run again at once. */
export function isRetryable(error: unknown): boolean {
  return retryable.includes(sqlState(error) ?? "");
}

/** True if the connection is gone or leads to a server that takes no writes: look for the primary again. */
export function isLost(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) {
    return state.startsWith("08") || ended.includes(state) || state === readOnlyTransaction;
  }
  if (error instanceof AppError || !(error instanceof Error)) return false;
  const code = systemCode(error);
  if (code !== undefined) return /^(?:E[A-Z]+|ENOTFOUND|EAI_AGAIN)$/.test(code) && !untrusted.test(code);
  return /^(?:Connection terminated|timeout expired|Query read timeout|Cannot use a pool|Client (?:was|has))/.test(
    error.message,
  );
}

/** True for a question that the server or a dead connection left without an answer. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/** Returns other errors unchanged. */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const state = sqlState(error);
  if (state !== undefined) {
    const refusal = refusals[state];
    if (refusal !== undefined) return refused(`The database ${refusal}.`, error);
    if (state === statementTimeout) return tooSlow(error);
    return isLost(error) ? unreachable(error) : refused(`The database refused a command (${state}).`, error);
  }
  if (error.message.includes("password must be a string")) {
    return refused("The database asks for a password: set PGPASSWORD or use the file ~/.pgpass.", error);
  }
  const tls = findTlsReason(error);
  if (tls !== undefined) return refused(`The connection to the database is not safe: ${tls}.`, error);
  return isLost(error) ? unreachable(error) : error;
}

function findTlsReason(error: Error): string | undefined {
  if (error.message.includes("does not support SSL")) {
    return "it does not speak TLS; switch on its ssl, or set sslmode=disable in `catalog.url`";
  }
  const code = systemCode(error) ?? "";
  const reason = tlsReasons[code];
  if (reason !== undefined) return reason;
  return untrusted.test(code)
    ? "its certificate is not trusted; check sslrootcert in `catalog.url`"
    : undefined;
}

export function unreachable(cause: unknown): AppError {
  return new AppError(
    "storage-unavailable",
    "No database of `catalog.url` answers: check that it runs, and the hosts and ports there.",
    { cause },
  );
}

function tooSlow(cause: unknown): AppError {
  return new AppError(
    "storage-unavailable",
    "The database took too long: look for its load, for locks, and for a standby of synchronous_standby_names that is missing.",
    { cause },
  );
}

function refused(sentence: string, cause: Error): AppError {
  return new AppError("storage-failed", sentence, { cause });
}
