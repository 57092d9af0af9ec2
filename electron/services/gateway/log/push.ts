// New records go to a sink of the user's as NDJSON, in the order of writing, each at least once: the position moves on disk once
// the sink has taken a batch. A crash in between sends that batch again, with the same ids.
import { unescape } from "node:querystring";
import { AppError, messageOf } from "../../../../shared/app-error.ts";
import type { Effects } from "../../../platform/effects.ts";
import { toRecord, type RecordRow } from "./record-rows.ts";
import type { RecordTable } from "./record-table.ts";
import { toNdjson } from "./record-wire.ts";

export interface PushTarget {
  readonly url: string;
  readonly intervalMs: number;
}

export interface PushOptions extends Pick<Effects, "fetch" | "sleep" | "log"> {
  readonly table: Pick<RecordTable, "selectAfter" | "readPosition" | "writePosition" | "lastSeq">;
  readonly target: PushTarget;
}

export interface Push {
  /** Gives up what is under way; the next start goes on with it. Idempotent. */
  readonly close: () => Promise<void>;
}

const maxRecords = 1_000;
const maxBytes = 1024 * 1024;
const timeoutMs = 30_000;
const maxPauseMs = 300_000;

export function startPush(options: PushOptions): Push {
  const { table, target } = options;
  let position = table.readPosition();
  if (position === undefined) {
    // The first push begins with what comes now, not with what was kept before anybody asked.
    position = table.lastSeq();
    table.writePosition(position);
  }
  const closing = new AbortController();
  const start = { position, sink: toSink(target.url), closing: closing.signal };
  const pushing = pushForever(options, start);
  return {
    close() {
      closing.abort();
      return pushing;
    },
  };
}

interface Start {
  readonly position: number;
  readonly sink: Sink;
  readonly closing: AbortSignal;
}

async function pushForever(
  { target, table, fetch, sleep, log }: PushOptions,
  { position: begin, sink, closing }: Start,
): Promise<void> {
  let position = begin;
  let failures = 0;
  for (;;) {
    try {
      await sleep(toPauseMs(target.intervalMs, failures), closing);
      for (;;) {
        const batch = toBatch(table.selectAfter(position, maxRecords));
        if (batch === undefined) break;
        await post(sink, batch.body, { fetch, closing });
        // Taken is taken, even if the disk refuses to note it: a repeat is for after a restart.
        position = batch.lastSeq;
        table.writePosition(position);
        if (failures > 0) log("info", "Records of requests are pushed again.");
        failures = 0;
      }
    } catch (error) {
      if (closing.aborted) return;
      failures += 1;
      if (failures === 1) log("warn", `Records of requests cannot be pushed: ${messageOf(error)}`);
    }
  }
}

/** Twice as long after each failure. */
function toPauseMs(intervalMs: number, failures: number): number {
  if (failures <= 1) return intervalMs;
  return Math.max(intervalMs, Math.min(maxPauseMs, intervalMs * 2 ** Math.min(failures - 1, 30)));
}

interface Batch {
  readonly body: string;
  readonly lastSeq: number;
}

/** As many of them as the bound of bytes allows, and one at least; undefined without any. */
function toBatch(rows: readonly RecordRow[]): Batch | undefined {
  const lines: string[] = [];
  let byteLength = 0;
  for (const row of rows) {
    const line = toNdjson(toRecord(row));
    byteLength += Buffer.byteLength(line);
    if (lines.length > 0 && byteLength > maxBytes) break;
    lines.push(line);
  }
  const last = rows[lines.length - 1];
  return last && { body: lines.join(""), lastSeq: last.seq };
}

interface Sink {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Credentials of the URL go into a header: `fetch` takes none in an address. */
function toSink(text: string): Sink {
  const url = new URL(text);
  const { username, password } = url;
  url.username = url.password = "";
  const headers = { "content-type": "application/x-ndjson" };
  if (username === "" && password === "") return { url: url.href, headers };
  const credentials = `${unescape(username)}:${unescape(password)}`;
  const authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
  return { url: url.href, headers: { ...headers, authorization } };
}

/** @throws AppError `upstream-unavailable`, whose sentence names neither address nor credentials */
async function post(
  { url, headers }: Sink,
  body: string,
  { fetch, closing }: { readonly fetch: Effects["fetch"]; readonly closing: AbortSignal },
): Promise<void> {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]);
  let response: Response;
  try {
    response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
  } catch (error) {
    throw new AppError("upstream-unavailable", toSentence(error), { cause: error });
  }
  await response.body?.cancel();
  if (!response.ok) {
    throw new AppError("upstream-unavailable", `the sink answers with status ${response.status}.`);
  }
}

function toSentence(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return "the sink does not answer in time.";
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
  return `the sink cannot be reached${code === undefined ? "" : ` (${code})`}.`;
}
