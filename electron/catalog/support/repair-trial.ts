// A repair of a valid sample directory, for tests that damage it first and inspect it afterwards.
import { cpSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { openCatalog } from "../sqlite/open-catalog.ts";
import {
  repairDirectory,
  type RepairFinding,
  type RepairOptions,
  type RepairReport,
} from "../repair/repair-directory.ts";
import { verifyDirectory } from "../verify/verify-directory.ts";
import { startMs, temporaryDirectory } from "./drafts.ts";
import {
  createSampleDirectory,
  redrawSample,
  writeKeptSource,
  type SampleDirectory,
} from "./sample-directory.ts";

/** Time of the repairs, long after everything in the sample. */
export const nowMs = startMs + 86_400_000;

export interface RepairTrial {
  readonly sample: SampleDirectory;
  /** Copies the sample; the copy is removed with its test. */
  readonly makeDirectory: () => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function createRepairTrial(): Promise<RepairTrial> {
  const sample = await createSampleDirectory();
  return {
    sample,
    async makeDirectory() {
      const directory = await temporaryDirectory();
      cpSync(sample.directory, directory, { recursive: true });
      return directory;
    },
    async close() {
      await rm(sample.directory, { recursive: true, force: true });
      await rm(sample.localFolder, { recursive: true, force: true });
    },
  };
}

export interface Repair extends RepairReport {
  readonly findings: readonly RepairFinding[];
}

export async function repair(directory: string, options: Partial<RepairOptions> = {}): Promise<Repair> {
  const findings: RepairFinding[] = [];
  const report = await repairDirectory(directory, {
    redraw: redrawSample,
    now: () => new Date(nowMs),
    onFinding: (finding) => findings.push(finding),
    ...options,
  });
  return { ...report, findings };
}

/** Stands for `redraw` in a repair that must not render. */
export const withoutSources = {
  redraw: () => Promise.reject(new Error("Nothing may be drawn.")),
};

/** Reads the published content of a catalog: all rows that clients can see. */
export function publishedIn(directory: string): unknown {
  const database = new DatabaseSync(join(directory, "catalog.sqlite"));
  const rows = [
    "SELECT * FROM revisions ORDER BY event_id, sequence",
    "SELECT * FROM revision_layers ORDER BY event_id, sequence, product_id",
    `SELECT id, kind, label, origin, status, started_at, ended_at, west, south, east, north, current_revision_id,
       last_sequence, last_published_at FROM events ORDER BY id`,
  ].map((sql) => database.prepare(sql).all());
  database.close();
  return rows;
}

export async function sequencesOf(directory: string, eventId: string): Promise<number[]> {
  const catalog = await openCatalog({ directory, now: () => new Date(nowMs) });
  const revisions = await catalog.listRevisions(eventId, 360);
  await catalog.close();
  return revisions.map(({ sequence }) => sequence);
}

export async function expectSound(directory: string): Promise<void> {
  expect((await verifyDirectory(directory)).findings).toEqual([]);
}

/** Returns the stored source of a shade. */
export function sourceOf(directory: string, shade: number): string {
  return writeKeptSource(directory, Buffer.from(String(shade)));
}
