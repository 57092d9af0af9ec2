// A mirror follows every event of another storm data service under the same ids, revision ids and sequences, until it is closed.
// The stream gives notices, the read endpoints give truth, and what was copied works without the other side from then on.
import { setMaxListeners } from "node:events";
import { messageOf } from "../../../shared/app-error.ts";
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import { StormEvent } from "../../../shared/contract/storm-event.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import type { Effects } from "../../platform/effects.ts";
import { backoffMs, jitteredMs } from "../fetching/backoff.ts";
import { createBell, type Bell } from "./bell.ts";
import { createEventDirectory, type EventDirectory } from "./event-directory.ts";
import { EventFollower, type FollowerTools } from "./event-follower.ts";
import { createEventHealth, type EventHealth } from "./event-health.ts";
import { createFrameCopies } from "./frame-copies.ts";
import { createLink } from "./link.ts";
import { isMirrorFault } from "./mirror-fault.ts";
import { createMirrorLog, type MirrorLog } from "./mirror-log.ts";
import { noticeStreamTiming, type NoticeStreamTiming } from "./notice-stream.ts";
import { createRemoteService, mirrorLimits, type MirrorLimits } from "./remote-service.ts";
import { createLimit } from "../../platform/locks/limit.ts";

export interface MirrorOptions {
  /** The base URL of the other service, `http://HOST:47800`. */
  readonly url: string;
  readonly catalog: Catalog;
  readonly frames: FrameStore;
  readonly effects: Pick<Effects, "now" | "sleep" | "random" | "fetch" | "log">;
  /** How often the list of events is read; notices make up for the time between. */
  readonly pollMs: number;
  readonly backoffMaxMs: number;
  /** How much of an operational feed is kept; undefined keeps everything. */
  readonly keepMs: number | undefined;
  readonly limits?: MirrorLimits;
  readonly streamTiming?: NoticeStreamTiming;
}

export interface Mirror {
  /** One an event; as long as no event is known, one of the service as a whole. */
  health(): readonly FeedHealth[];
  /** Ends what is under way. What is not taken over by then is not there. Idempotent. */
  close(): Promise<void>;
}

const eventsAtOnce = 4;
const framesAtOnce = 4;
const firstRetryMs = 1_000;
/** More events than anybody holds. */
const heldLimit = 10_000;

/** Never fails: a service that cannot be reached is told by the log and by the health report, and tried again. */
export function startMirror(options: MirrorOptions): Mirror {
  return new RunningMirror(options);
}

class RunningMirror implements Mirror {
  readonly #options: MirrorOptions;
  readonly #baseUrl: string;
  readonly #tools: FollowerTools;
  readonly #directory: EventDirectory;
  readonly #bell: Bell;
  readonly #health: EventHealth;
  readonly #followers = new Map<string, EventFollower>();
  readonly #ending = new AbortController();
  readonly #work: Promise<void>;
  #closed: Promise<void> | undefined;

  constructor(options: MirrorOptions) {
    const { url, catalog, frames, effects, pollMs, backoffMaxMs, keepMs } = options;
    const { signal } = this.#ending;
    // Every request listens to it.
    setMaxListeners(0, signal);
    this.#options = options;
    const baseUrl = toBaseUrl(url);
    this.#baseUrl = baseUrl;
    const source = `mirror:${baseUrl}`;
    const log = createMirrorLog(source, catalog, effects);
    this.#bell = createBell(effects.sleep);
    const link = createLink(log, effects.now, () => {
      this.#bell.ring();
    });
    const remote = createRemoteService({
      baseUrl,
      fetch: effects.fetch,
      signal,
      limits: options.limits ?? mirrorLimits,
      onLink: (problem) => {
        link.report(problem);
      },
    });
    this.#health = createEventHealth({ source, eventId: null }, link, effects.now);
    this.#directory = createEventDirectory(remote, { complain: (entry) => this.#complain(entry) });
    this.#tools = {
      source,
      remote,
      copies: createFrameCopies(remote, frames, createLimit(framesAtOnce)),
      catalog,
      effects,
      log,
      link,
      limit: createLimit(eventsAtOnce),
      checkService: () => {
        this.#bell.ring();
      },
      readRow: (eventId) => this.#readRow(eventId),
      retry: { firstMs: Math.min(firstRetryMs, pollMs), longestMs: backoffMaxMs },
      keepMs,
      streamTiming: options.streamTiming ?? noticeStreamTiming,
    };
    log.note({ eventId: "", kind: "started" });
    this.#work = this.#run(signal);
  }

  health(): readonly FeedHealth[] {
    if (this.#followers.size === 0) return [this.#health.report(false)];
    return [...this.#followers.values()].map((follower) => follower.health());
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { effects } = this.#options;
    let failures = 0;
    await this.#followHeld();
    try {
      for (;;) {
        failures = (await this.#poll(signal)) ? 0 : failures + 1;
        const delayMs = this.#delayMs(failures);
        const nextCheckAt = new Date(effects.now().getTime() + delayMs).toISOString();
        this.#health.nextCheckAt = nextCheckAt;
        for (const follower of this.#followers.values()) follower.setNextCheck(nextCheckAt);
        await this.#bell.wait(delayMs, signal);
      }
    } catch (error) {
      if (error !== signal.reason) throw error;
    }
  }

  #delayMs(failures: number): number {
    const { random } = this.#options.effects;
    return failures === 0
      ? jitteredMs(this.#options.pollMs, random)
      : backoffMs(failures, this.#tools.retry, random);
  }

  /** Whether the list could be read. */
  async #poll(signal: AbortSignal): Promise<boolean> {
    try {
      const rows = await this.#directory.read();
      for (const row of rows.values()) this.#follow(row);
      this.#health.hasBegun = true;
      this.#health.isFailing = false;
      return true;
    } catch (error) {
      signal.throwIfAborted();
      this.#health.isFailing = true;
      this.#health.hasBegun = true;
      if (!isMirrorFault(error)) {
        this.#options.effects.log("error", `Following a service failed: ${messageOf(error)}`, { error });
      } else if (error.kind !== "link") {
        this.#complain({ eventId: "", kind: "failed", message: error.message });
      }
      return false;
    }
  }

  /** Of the service as a whole: told once, and counted. Returns whether it was new. */
  #complain(entry: Parameters<MirrorLog["complain"]>[0]): boolean {
    const isNew = this.#tools.log.complain(entry);
    if (isNew) this.#health.counts.failed += 1;
    return isNew;
  }

  async #readRow(eventId: string): Promise<StormEvent | undefined> {
    try {
      return (await this.#directory.read()).get(eventId);
    } catch (error) {
      // The poll tells what is wrong with the list; revisions can be followed without it.
      if (!isMirrorFault(error)) throw error;
      return undefined;
    }
  }

  #follow(row: StormEvent): void {
    const follower = this.#followers.get(row.id);
    if (follower) follower.offer(row);
    else this.#followers.set(row.id, new EventFollower(row, this.#tools));
  }

  /** Events that were followed before: they may find no place in a full list, and their state is known without the other side. */
  async #followHeld(): Promise<void> {
    try {
      for (const held of await this.#options.catalog.listEvents(heldLimit)) {
        if (held.mirrorOf === this.#baseUrl) this.#follow(StormEvent.parse(held));
      }
    } catch (error) {
      this.#options.effects.log("error", `Followed events cannot be read: ${messageOf(error)}`, { error });
    }
  }

  async #close(): Promise<void> {
    this.#ending.abort();
    await this.#work;
    await Promise.all([...this.#followers.values()].map((follower) => follower.close()));
    this.#health.isStopped = true;
    this.#tools.log.note({ eventId: "", kind: "stopped" });
    await this.#tools.log.flush();
  }
}

/** Without credentials, query or a slash at the end, so that one service has one name. */
function toBaseUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, "");
}
