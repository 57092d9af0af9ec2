// Records and open logs for tests; all of them end with the test.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { LogLevel } from "../../../platform/effects.ts";
import { openRequestLog, type FileLogOptions } from "../log/open-request-log.ts";
import type { RequestLog } from "../log/request-log.ts";
import type { RequestRecord } from "../log/request-record.ts";

/** Time of the first record of `makeRecord`. */
export const epochMs = Date.UTC(2026, 10, 20, 12);

/** Makes record number `n`, `n` seconds after the first: a browser's by default. */
export function makeRecord(n: number, rest: Partial<RequestRecord> = {}): RequestRecord {
  return {
    id: `r${n}`,
    at: epochMs + n * 1_000,
    zoneId: "z1",
    host: "brief.example",
    path: `/r/${n}`,
    status: 200,
    userAgent: "Mozilla/5.0",
    verifiedBotCategory: null,
    verifiedBotName: null,
    reason: "bot_unverified",
    redirectsForAiTrainingTarget: null,
    ...rest,
  };
}

/** Makes a record of TrainBot that was redirected. */
export function makeRedirect(n: number, rest: Partial<RequestRecord> = {}): RequestRecord {
  return makeRecord(n, {
    status: 301,
    userAgent: "TrainBot/1.0",
    verifiedBotCategory: "AI Crawler",
    verifiedBotName: "TrainBot",
    reason: "redirected",
    redirectsForAiTrainingTarget: "https://brief.example/e/1",
    ...rest,
  });
}

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "echotop-log-"));
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  return directory;
}

export interface TestLog {
  readonly log: RequestLog;
  readonly directory: string;
  /** `level: message` */
  readonly said: string[];
}

export async function openTestLog(options: Partial<FileLogOptions> = {}): Promise<TestLog> {
  const { directory = temporaryDirectory() } = options;
  const said: string[] = [];
  const log = await openRequestLog({
    directory,
    keepDays: 30,
    push: undefined,
    now: () => new Date(epochMs + 3_600_000),
    fetch: () => Promise.reject(new Error("Nothing is to be fetched.")),
    log: (level: LogLevel, message) => said.push(`${level}: ${message}`),
    ...options,
  });
  onTestFinished(() => log.close());
  return { log, directory, said };
}

export function idsOf(records: readonly RequestRecord[]): string[] {
  return records.map(({ id }) => id);
}

/** Polls until the expectation holds, with time for a busy machine. */
export function eventually<Value>(ask: () => Value) {
  return expect.poll(ask, { timeout: 20_000 });
}
