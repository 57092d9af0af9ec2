// A repair at work, for tests: a sound directory to damage, the repair of it, and what is to be seen in it afterwards.
import { cpSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { openCatalog } from "../open-catalog.ts";
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

/** The time of the repairs: long after everything that the sample holds. */
export const nowMs = startMs + 86_400_000;

export interface RepairTrial {
  readonly sample: SampleDirectory;
  /** A copy of the sample, which goes with its test. */
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

/** For a repair that must not draw anything. */
export const withoutSources = {
  redraw: () => Promise.reject(new Error("Nothing may be drawn.")),
};

/** The published content of a catalog: all rows that clients see something of. */
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

/** The kept source of a shade. */
export function sourceOf(directory: string, shade: number): string {
  return writeKeptSource(directory, Buffer.from(String(shade)));
}
