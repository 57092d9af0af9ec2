// Pushes new records to a receiver as NDJSON, in the order of writing, each at least once. The position moves on disk
// once the receiver has taken a batch; a crash before that repeats the batch, with the same ids.
import { unescape } from "node:querystring";
import { AppError, messageOf } from "../../../../shared/app-error.ts";
import type { Effects } from "../../../platform/effects.ts";
import { logLimits } from "../gateway-limits.ts";
import type { PushedRecords } from "./record-store.ts";
import { toNdjson, toRecord, type RecordRow } from "./request-record.ts";

export interface PushTarget {
  readonly url: string;
  readonly intervalMs: number;
}

export interface PushOptions extends Pick<Effects, "fetch" | "sleep" | "log"> {
  readonly store: PushedRecords;
  readonly target: PushTarget;
}

/** `close` cancels the request in progress, which the next start repeats. Idempotent. */
export function startPush(options: PushOptions): { readonly close: () => Promise<void> } {
  const closing = new AbortController();
  const pushing = pushForever(options, toReceiver(options.target.url), closing.signal);
  return {
    close() {
      closing.abort();
      return pushing;
    },
  };
}

async function pushForever(
  { target, store, fetch, sleep, log }: PushOptions,
  receiver: Receiver,
  closing: AbortSignal,
): Promise<void> {
  let sent = 0;
  let failures = 0;
  for (;;) {
    try {
      await sleep(toPauseMs(target.intervalMs, failures), closing);
      for (;;) {
        const position = await store.beginPush();
        if (position === undefined) break;
        const batch = toBatch(await store.selectAfter(Math.max(position, sent), logLimits.pushedRecords));
        if (batch === undefined) break;
        await post(receiver, batch.body, { fetch, closing });
        // The receiver has it, even if the store refuses the position: only a restart would repeat it.
        sent = batch.lastSeq;
        await store.writePosition(sent);
        if (failures > 0) log("info", "The gateway's request records are pushed again.");
        failures = 0;
      }
    } catch (error) {
      if (closing.aborted) return;
      failures += 1;
      if (failures === 1) log("warn", `The gateway's request records cannot be pushed: ${messageOf(error)}`);
    }
  }
}

/** Doubles the pause after each failure. */
function toPauseMs(intervalMs: number, failures: number): number {
  if (failures <= 1) return intervalMs;
  const pauseMs = Math.min(logLimits.pushPauseMs, intervalMs * 2 ** Math.min(failures - 1, 30));
  return Math.max(intervalMs, pauseMs);
}

interface Batch {
  readonly body: string;
  readonly lastSeq: number;
}

/** Returns as many records as the byte limit allows, but at least one; undefined without any. */
function toBatch(rows: readonly RecordRow[]): Batch | undefined {
  const lines: string[] = [];
  let byteLength = 0;
  for (const row of rows) {
    const line = toNdjson(toRecord(row));
    byteLength += Buffer.byteLength(line);
    if (lines.length > 0 && byteLength > logLimits.pushedBytes) break;
    lines.push(line);
  }
  const last = rows[lines.length - 1];
  return last && { body: lines.join(""), lastSeq: last.seq };
}

interface Receiver {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Moves credentials from the URL to a header, because `fetch` accepts none in a URL. */
function toReceiver(text: string): Receiver {
  const url = new URL(text);
  const { username, password } = url;
  url.username = url.password = "";
  const headers = { "content-type": "application/x-ndjson" };
  if (username === "" && password === "") return { url: url.href, headers };
  const credentials = `${unescape(username)}:${unescape(password)}`;
  const authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
  return { url: url.href, headers: { ...headers, authorization } };
}

/** @throws AppError `upstream-unavailable`, with a sentence that names neither address nor credentials */
async function post(
  { url, headers }: Receiver,
  body: string,
  { fetch, closing }: { readonly fetch: Effects["fetch"]; readonly closing: AbortSignal },
): Promise<void> {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(logLimits.pushTimeoutMs)]);
  let response: Response;
  try {
    response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
  } catch (error) {
    throw new AppError("upstream-unavailable", toSentence(error), { cause: error });
  }
  await response.body?.cancel();
  if (!response.ok) {
    throw new AppError("upstream-unavailable", `the receiver answers with status ${response.status}.`);
  }
}

function toSentence(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return "the receiver does not answer in time.";
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
  return `the receiver cannot be reached${code === undefined ? "" : ` (${code})`}.`;
}
