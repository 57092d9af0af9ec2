// The crash trial: repeatedly kills processes that ingest, publish, prune, migrate and serve, on live directories that
// viewers watch. After each kill everything must be sound and all published data present.
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "../../electron/pipeline/demo/random.ts";
import { FeedFolder } from "./feed-folder.ts";
import { createFileSupply, type FileSupply } from "./file-supply.ts";
import { runKilled } from "./killed-command.ts";
import { Ledger } from "./ledger.ts";
import { createOldDirectory, readOldDirectory } from "./old-directory.ts";
import { Station } from "./station.ts";
import { findFaults, runChild } from "./storm-job.ts";
import { findDifferences } from "./true-state.ts";
import { watch } from "./watching-viewer.ts";

/** Activities that the trial interrupts with a kill. */
export const killKinds = ["ingest", "publication", "retention", "migration", "host"] as const;
export type KillKind = (typeof killKinds)[number];

export interface TrialOptions {
  /** Path of an empty folder. */
  readonly root: string;
  readonly kills: number;
  readonly seed: number;
  readonly onKill?: (done: number) => void;
}

export interface TrialFigures {
  readonly kills: Readonly<Record<KillKind, number>>;
  /** Number of runs that ended before their kill. */
  readonly tooLate: number;
  readonly verifications: number;
  readonly revisions: number;
  readonly pruned: number;
  /** Number of directories with the old version after the kill, and with the new one. */
  readonly migrations: { readonly before: number; readonly after: number };
  readonly viewers: readonly {
    readonly connections: number;
    readonly readings: number;
    readonly revisions: number;
  }[];
  readonly elapsedMs: number;
}

const historical = "storm";
/** Event that child processes publish and prune. */
const live = "live";
/** Event that the host follows and prunes. */
const fed = "fed";
/** Retention of the live event; longer than the windows of one run. */
const keepMs = 10 * 120_000;
const fedKeepMs = 20 * 120_000;
const oldRevisions = 150;
/** Maximum number of files left for the next run; beyond it, one run completes undisturbed. */
const mostPending = 18;

/** Runs the trial. @throws Error with every problem found, after the first kill that caused one */
export async function runKillTrial({ root, kills, seed, onKill }: TrialOptions): Promise<TrialFigures> {
  const startedMs = performance.now();
  const trial = new Trial(root, seed);
  try {
    await trial.begin();
    for (let done = 0; done < kills;) {
      // Alternates the kinds, so that each gets an equal share.
      const kind = killKinds[done % killKinds.length]!;
      if (!(await trial.kill(kind))) continue;
      done += 1;
      onKill?.(done);
    }
    const figures = await trial.conclude();
    return { ...figures, elapsedMs: performance.now() - startedMs };
  } finally {
    await trial.end();
  }
}

interface Work {
  readonly supply: FileSupply;
  /** Files that no undisturbed run has ingested yet. */
  pending: string[];
}

class Trial {
  readonly #root: string;
  readonly #data: string;
  readonly #old: string;
  readonly #random: () => number;
  readonly #feed: FeedFolder;
  readonly #station: Station;
  readonly #ledger = new Ledger(
    new Map([
      [live, keepMs],
      [fed, fedKeepMs],
    ]),
  );
  readonly #storm: Work;
  readonly #live: Work;
  #viewers: readonly { readonly eventId: string; readonly viewer: ReturnType<typeof watch> }[] = [];
  /** Revisions that processes reported as published since the last check. */
  readonly #reported: { sequence: number; revisionId: string }[] = [];
  #oldContent = "";
  readonly #kills: Record<KillKind, number> = {
    ingest: 0,
    publication: 0,
    retention: 0,
    migration: 0,
    host: 0,
  };
  #tooLate = 0;
  #verifications = 0;
  #pruned = 0;
  readonly #migrations = { before: 0, after: 0 };

  constructor(root: string, seed: number) {
    const random = createRandom(seed);
    this.#root = root;
    this.#data = join(root, "data");
    this.#old = join(root, "old");
    this.#random = random;
    this.#feed = new FeedFolder(root, createRandom(seed + 1));
    const { directory, clock } = this.#feed;
    this.#station = new Station(this.#data, { directory, clock, eventId: fed, keepMs: fedKeepMs });
    this.#storm = { supply: createFileSupply(join(root, "storm"), 0, random), pending: [] };
    this.#live = { supply: createFileSupply(join(root, "live"), 900, random), pending: [] };
  }

  async begin(): Promise<void> {
    await createOldDirectory(this.#old, oldRevisions);
    this.#oldContent = readOldDirectory(this.#old).content;
    await this.#station.start();
    this.#viewers = [historical, live, fed].map((eventId) => ({
      eventId,
      viewer: watch(() => this.#station.origin, eventId),
    }));
    await this.#finish(this.#storm, historical);
    await this.#prune(undefined);
  }

  /** Runs one trial of the kind; returns false if the process ended before its kill. */
  async kill(kind: KillKind): Promise<boolean> {
    const run: Record<KillKind, () => Promise<boolean>> = {
      ingest: () => this.#killCommand(),
      publication: () => this.#killPublication(),
      retention: () => this.#prune(this.#random()),
      migration: () => this.#killMigration(),
      host: () => this.#killHost(),
    };
    const wasKilled = await run[kind]();
    if (wasKilled) this.#kills[kind] += 1;
    else this.#tooLate += 1;
    await this.#check(this.#data, `after a kill of ${kind}`);
    return wasKilled;
  }

  async conclude(): Promise<Omit<TrialFigures, "elapsedMs">> {
    await this.#finish(this.#storm, historical);
    await this.#prune(undefined);
    this.#feed.close();
    await this.#station.settle();
    await this.#check(this.#data, "at the end");
    for (const { eventId, viewer } of this.#viewers) {
      const differences = await findDifferences({
        viewer,
        eventId,
        data: this.#data,
        origin: this.#station.origin,
      });
      if (differences.length > 0) throw new Error(`The viewer of ${eventId}: ${differences.join("; ")}`);
    }
    const viewers = this.#viewers.map(({ viewer }) => ({
      connections: viewer.connections(),
      readings: viewer.readings(),
      revisions: viewer.revisions().length,
    }));
    return {
      kills: this.#kills,
      tooLate: this.#tooLate,
      verifications: this.#verifications,
      revisions: this.#ledger.size,
      pruned: this.#pruned,
      migrations: this.#migrations,
      viewers,
    };
  }

  async end(): Promise<void> {
    this.#feed.close();
    for (const { viewer } of this.#viewers) viewer.close();
    await this.#station.kill();
  }

  /** Kills the real command from outside. */
  async #killCommand(): Promise<boolean> {
    const paths = await this.#nextFiles(this.#storm, historical);
    const lines = Math.floor(this.#random() * paths.length);
    const ms = this.#random() * (lines === 0 ? 700 : 40);
    const end = await runKilled(this.#ingestArgs(paths), { lines, ms });
    this.#note(end.lines);
    if (!end.wasKilled && end.code === 0) this.#storm.pending = [];
    return end.wasKilled;
  }

  /** Kills a child from its own thread, during a transaction or the storing of a frame. */
  async #killPublication(): Promise<boolean> {
    const paths = await this.#nextFiles(this.#storm, historical);
    const kill = { files: 1 + Math.floor(this.#random() * (paths.length - 1)), ms: this.#random() * 25 };
    const end = await runChild({ data: this.#data, paths, event: historical, workers: false, kill });
    if (end.errors !== "") throw new Error(end.errors);
    if (end.code === 0) this.#storm.pending = [];
    return end.signal === "SIGKILL";
  }

  /**
   * Publishes more of the live event and prunes it. `at` places the kill within the usual duration of pruning;
   * undefined means no kill.
   */
  async #prune(at: number | undefined): Promise<boolean> {
    this.#live.pending = [...this.#live.pending, ...this.#live.supply.next(3)];
    const paths = this.#live.pending;
    const request = { data: this.#data, paths, event: live, workers: false, keepMs };
    const kill = at === undefined ? {} : { kill: { files: paths.length, ms: at * 40 } };
    const end = await runChild({ ...request, ...kill });
    if (end.errors !== "") throw new Error(end.errors);
    // All files are published before the pruning begins.
    this.#live.pending = [];
    for (const line of end.lines) if ("pruned" in line) this.#pruned += line.pruned;
    return end.signal === "SIGKILL";
  }

  async #killMigration(): Promise<boolean> {
    const data = join(this.#root, "migrating");
    cpSync(this.#old, data, { recursive: true });
    const kill = { files: 0, ms: this.#random() * 60 };
    const end = await runChild({ data, paths: [], event: "old", workers: false, kill });
    if (end.errors !== "") throw new Error(end.errors);
    const faults = await findFaults(data);
    if (faults.length > 0) throw new Error(`After a kill of a migration: ${JSON.stringify(faults)}`);
    const cut = readOldDirectory(data);
    this.#migrations[cut.version === 1 ? "before" : "after"] += 1;
    await runChild({ data, paths: [], event: "old", workers: false });
    const migrated = readOldDirectory(data);
    for (const { content } of [cut, migrated]) {
      if (content !== this.#oldContent) throw new Error("A killed migration changed published data.");
    }
    if (migrated.version === 1) throw new Error("A killed migration was not completed by the next run.");
    rmSync(data, { recursive: true });
    return end.signal === "SIGKILL";
  }

  /** Kills the host while it publishes and prunes its feed; a concurrent ingest must still succeed. */
  async #killHost(): Promise<boolean> {
    const paths = await this.#nextFiles(this.#storm, historical);
    const ingest = runKilled(this.#ingestArgs(paths));
    await new Promise((resolve) => setTimeout(resolve, this.#random() * 900));
    await this.#station.kill();
    const end = await ingest;
    if (end.code !== 0) throw new Error(`An ingest next to a killed host failed: ${end.errors}`);
    this.#note(end.lines);
    this.#storm.pending = [];
    await this.#station.start();
    return true;
  }

  #ingestArgs(paths: readonly string[]): string[] {
    return ["ingest", "--data", this.#data, "--event", historical, ...paths];
  }

  /** Records the revisions that a process reported as published. */
  #note(lines: readonly Readonly<Record<string, unknown>>[]): void {
    for (const { status, sequence, revisionId } of lines) {
      if (status !== "complete") continue;
      this.#reported.push({ sequence: sequence as number, revisionId: revisionId as string });
    }
  }

  async #nextFiles(work: Work, event: string): Promise<readonly string[]> {
    if (work.pending.length > mostPending) await this.#finish(work, event);
    work.pending = [...work.pending, ...work.supply.next(3)];
    return work.pending;
  }

  /** Ingests all pending files undisturbed. */
  async #finish(work: Work, event: string): Promise<void> {
    const paths = [...work.pending, ...work.supply.next(1)];
    const end = await runChild({ data: this.#data, paths, event, workers: false });
    if (end.code !== 0) throw new Error(`An undisturbed ingest failed: ${end.errors}`);
    work.pending = [];
  }

  async #check(data: string, when: string): Promise<void> {
    this.#verifications += 1;
    const problems = [
      ...(await findFaults(data)).map((fault) => JSON.stringify(fault)),
      ...this.#ledger.compare(data),
      ...this.#reported
        .splice(0)
        .filter(({ sequence, revisionId }) => !this.#ledger.has(historical, sequence, revisionId))
        .map(({ sequence }) => `${historical} ${sequence} was reported but is missing`),
      ...this.#viewers.flatMap(({ viewer }) => viewer.contradictions),
    ];
    if (this.#station.errors.includes("error")) problems.push(this.#station.errors);
    if (problems.length > 0) throw new Error(`${when}: ${problems.join("; ")}`);
  }
}
