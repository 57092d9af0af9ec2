// A worker of a service: takes windows of the queued backfills, draws several at once, publishes what is drawn, and
// removes objects that nothing refers to. Any number of workers may run; each may die at any time.
import { messageOf } from "../../../shared/app-error.ts";
import type { BackfillCounts, ServiceWork, WindowClaim } from "../../catalog/stores/backfill-queue.ts";
import type { Stores } from "../../catalog/stores/located-stores.ts";
import type { RenderPool } from "../../pipeline/ingest/render-pool.ts";
import type { Effects } from "../../platform/effects.ts";
import { createFileSource } from "../feeds/create-source.ts";
import type { FileSourceConfig } from "../feeds/feed-config.ts";
import { fetchWindowsAtOnce } from "../feeds/feed-limits.ts";
import { createBell, type Bell } from "../fetching/bell.ts";
import { drawWindow } from "./draw-window.ts";

export interface WorkerOptions {
  readonly stores: Pick<Stores, "catalog" | "frames" | "sources" | "stagingFolder">;
  readonly service: ServiceWork;
  /** Opens the render pool, when there is the first window. */
  readonly openPool: () => RenderPool;
  readonly effects: Pick<Effects, "now" | "sleep" | "random" | "fetch" | "log">;
}

export interface RunningWorker {
  /** Counts the windows of all backfills by state. */
  count(): Promise<BackfillCounts>;
  /** Gives unfinished windows back. Idempotent. */
  close(): Promise<void>;
}

/** Interval between two looks at the queue. */
const pollMs = 1_000;
const renewalMs = 4_000;
/** Interval between two looks if a sweep is due. */
const sweepPollMs = 60_000;
/** Pause of a window after trouble of the stores. */
const troubleMs = 5_000;

/** Never throws: trouble is logged, and the work is tried again. */
export function startWorker(options: WorkerOptions): RunningWorker {
  const worker = new Worker(options);
  return { count: () => options.service.backfills.count(), close: () => worker.close() };
}

class Worker {
  readonly #options: WorkerOptions;
  readonly #bell: Bell;
  readonly #ending = new AbortController();
  readonly #claims = new Map<WindowClaim, Promise<void>>();
  readonly #publishing = new Map<string, Promise<void>>();
  readonly #loops: Promise<unknown>;
  #pool: RenderPool | undefined;
  #problem: string | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#bell = createBell(options.effects.sleep);
    const sleep = (ms: number) => (): Promise<void> => options.effects.sleep(ms, this.#ending.signal);
    this.#loops = Promise.all([
      this.#repeat(
        () => this.#takeWork(),
        () => this.#bell.wait(pollMs, this.#ending.signal),
      ),
      this.#repeat(() => this.#renew(), sleep(renewalMs)),
      this.#repeat(() => this.#sweep(), sleep(sweepPollMs)),
    ]);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#ending.abort();
    await this.#loops;
    await Promise.all([...this.#claims.values(), ...this.#publishing.values()]);
    await this.#pool?.close();
  }

  async #repeat(work: () => Promise<void>, wait: () => Promise<void>): Promise<void> {
    while (!this.#ending.signal.aborted)
      await work()
        .then(wait)
        .catch((error: unknown) => this.#recover(error));
  }

  /** Logs trouble, the same once, and waits. Does nothing at the end. */
  async #recover(error: unknown): Promise<void> {
    if (this.#ending.signal.aborted) return;
    const { effects } = this.#options;
    if (messageOf(error) !== this.#problem) effects.log("warn", "The worker has a problem.", { error });
    this.#problem = messageOf(error);
    await effects.sleep(troubleMs, this.#ending.signal).catch(() => undefined);
  }

  async #takeWork(): Promise<void> {
    const { backfills } = this.#options.service;
    const open = await backfills.listOpen();
    for (const { eventId, isReady } of open) if (isReady) this.#publish(eventId);
    const free = fetchWindowsAtOnce - this.#claims.size;
    if (free === 0 || !open.some(({ hasWork }) => hasWork)) return;
    for (const claim of await backfills.claim(free)) {
      const work = this.#draw(claim).finally(() => {
        this.#claims.delete(claim);
        this.#bell.ring();
      });
      this.#claims.set(claim, work);
    }
  }

  #publish(eventId: string): void {
    if (this.#publishing.has(eventId)) return;
    const work = this.#options.service.backfills
      .publishDrawn(eventId, this.#ending.signal)
      .catch((error: unknown) => this.#recover(error))
      .finally(() => this.#publishing.delete(eventId));
    this.#publishing.set(eventId, work);
  }

  async #draw(claim: WindowClaim): Promise<void> {
    const { stores, service, openPool, effects } = this.#options;
    const { signal } = this.#ending;
    const { backfills } = service;
    try {
      const source = createFileSource(claim.source as FileSourceConfig, effects);
      const pool = (this.#pool ??= openPool());
      const outcome = await drawWindow(claim, { workshop: { ...stores, source, pool }, effects, signal });
      if ("drawn" in outcome) await backfills.finish(claim, outcome.drawn);
      else await backfills.postpone(claim, outcome.retryInMs, "failure");
      this.#problem = undefined;
    } catch (error) {
      const pauseMs = signal.aborted ? 0 : troubleMs;
      await backfills.postpone(claim, pauseMs, "interruption").catch(() => undefined);
      await this.#recover(error);
    }
  }

  async #renew(): Promise<void> {
    if (this.#claims.size > 0) await this.#options.service.backfills.renew([...this.#claims.keys()]);
  }

  async #sweep(): Promise<void> {
    const { service, effects } = this.#options;
    const removed = await service.sweep(this.#ending.signal);
    if (removed !== undefined && removed > 0) effects.log("info", `Removed ${removed} unused objects.`);
  }
}
