// Finds the Echotop that serves a data directory, so that a second start opens a window on the first. The record
// counts only if the process exists and the address answers as a storm service.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { DataServiceStatus } from "../../../shared/contract/data-status.ts";
import { replaceFileSync } from "../../platform/disk/replace-file.ts";

const Addresses = z.object({ storm: z.url(), api: z.url().nullable(), gateway: z.url().nullable() });
const RunningRecord = z.object({ processId: z.int().min(1), addresses: Addresses });
type Addresses = z.infer<typeof Addresses>;

const answerLimitMs = 2_000;

function recordPath(dataDirectory: string): string {
  return join(dataDirectory, "window", "running.json");
}

export function rememberRunning(dataDirectory: string, addresses: Addresses): void {
  const record = { processId: process.pid, addresses };
  replaceFileSync(recordPath(dataDirectory), `${JSON.stringify(record)}\n`);
}

/** Removes this process's record. */
export function forgetRunning(dataDirectory: string): void {
  if (loadRecord(dataDirectory)?.processId === process.pid)
    rmSync(recordPath(dataDirectory), { force: true });
}

/** Resolves with the addresses of an Echotop that serves this data directory and answers, or undefined. */
export async function findRunning(dataDirectory: string): Promise<Addresses | undefined> {
  const record = loadRecord(dataDirectory);
  if (record === undefined || !isAlive(record.processId)) return undefined;
  return (await isStormService(record.addresses.storm)) ? record.addresses : undefined;
}

function loadRecord(dataDirectory: string): z.infer<typeof RunningRecord> | undefined {
  try {
    return RunningRecord.safeParse(JSON.parse(readFileSync(recordPath(dataDirectory), "utf8"))).data;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function isStormService(address: string): Promise<boolean> {
  try {
    const response = await fetch(new URL("/v1/data/status", address), {
      signal: AbortSignal.timeout(answerLimitMs),
    });
    return response.ok && DataServiceStatus.safeParse(await response.json()).success;
  } catch {
    // No answer, or not a storm service.
    return false;
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
