// A mirror copies every event of a remote storm data service under the same ids, revision ids and sequences, until it
// is closed. Streams give notices, the read endpoints give the data, and copied revisions work without the remote
// service.
import { setMaxListeners } from "node:events";
import { messageOf } from "../../../shared/app-error.ts";
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import { StormEvent } from "../../../shared/contract/storm-event.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import type { Effects } from "../../platform/effects.ts";
import { backoffMs, jitteredMs } from "../fetching/backoff.ts";
import { createBell, type Bell } from "../fetching/bell.ts";
import { isHttpFailure, isLinkFailure } from "../fetching/http-failure.ts";
import type { Feed } from "../feeds/feed.ts";
import { EventFollower, type FollowerTools } from "./event-follower.ts";
import { EventHealth } from "./event-health.ts";
import { createFrameCopies } from "./frame-copies.ts";
import { createLink } from "./link.ts";
import { toEvents } from "./listings.ts";
import {
  eventsAtOnce,
  firstRetryMs,
  framesAtOnce,
  maxHeldEvents,
  noticeStreamTiming,
  type MirrorLimits,
  type NoticeStreamTiming,
} from "./mirror-limits.ts";
import { createMirrorLog, type MirrorLog } from "./mirror-log.ts";
import { createRemoteService } from "./remote-service.ts";
import { createLimit } from "../../platform/locks/limit.ts";

export interface MirrorOptions {
  /** Base URL of the remote service, such as `http://HOST:47800`. */
  readonly url: string;
  readonly catalog: Catalog;
  readonly frames: FrameStore;
  readonly effects: Pick<Effects, "now" | "sleep" | "random" | "fetch" | "log">;
  /** Interval between readings of the list of events; notices arrive in between. */
  readonly pollMs: number;
  readonly backoffMaxMs: number;
  /** Time before the newest observation that an operational feed keeps; undefined keeps everything. */
  readonly keepMs: number | undefined;
  readonly limits?: MirrorLimits;
  readonly streamTiming?: NoticeStreamTiming;
}

type EventRows = ReadonlyMap<string, StormEvent>;

/** Never throws: an unreachable service is reported by the log and the health report, and retried. */
export function startMirror(options: MirrorOptions): Feed {
  return new RunningMirror(options);
}

class RunningMirror implements Feed {
  readonly #options: MirrorOptions;
  readonly #baseUrl: string;
  readonly #tools: FollowerTools;
  /** The list of events as it was last read. */
  #rows: EventRows = new Map();
  #rowsEtag: string | undefined;
  #readingRows: Promise<EventRows> | undefined;
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
      limits: options.limits,
      onLink: (problem) => {
        link.report(problem);
      },
    });
    this.#health = new EventHealth({ source, eventId: null }, link, effects.now);
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

  /** Reports one entry an event; one for the service while no event is known. */
  health(): readonly FeedHealth[] {
    if (this.#followers.size === 0) return [this.#health.report(false)];
    return [...this.#followers.values()].map((follower) => follower.health());
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { effects, pollMs } = this.#options;
    let failures = 0;
    await this.#followHeld();
    try {
      for (;;) {
        failures = (await this.#poll(signal)) ? 0 : failures + 1;
        const delayMs =
          failures === 0
            ? jitteredMs(pollMs, effects.random)
            : backoffMs(failures, this.#tools.retry, effects.random);
        const nextCheckAt = new Date(effects.now().getTime() + delayMs).toISOString();
        this.#health.nextCheckAt = nextCheckAt;
        for (const follower of this.#followers.values()) follower.setNextCheck(nextCheckAt);
        await this.#bell.wait(delayMs, signal);
      }
    } catch (error) {
      if (error !== signal.reason) throw error;
    }
  }

  /** Returns true if the list of events could be read. */
  async #poll(signal: AbortSignal): Promise<boolean> {
    try {
      for (const row of (await this.#readRows()).values()) this.#follow(row);
      this.#health.hasBegun = true;
      this.#health.isFailing = false;
      return true;
    } catch (error) {
      signal.throwIfAborted();
      this.#health.isFailing = true;
      this.#health.hasBegun = true;
      if (!isHttpFailure(error)) {
        this.#options.effects.log("error", `Mirroring failed: ${messageOf(error)}`, { error });
      } else if (!isLinkFailure(error)) {
        this.#complain({ eventId: "", kind: "failed", message: error.message });
      }
      return false;
    }
  }

  /** Logs and counts a problem of the service once. */
  #complain(entry: Parameters<MirrorLog["complain"]>[0]): void {
    if (this.#tools.log.complain(entry)) this.#health.counts.failed += 1;
  }

  async #readRow(eventId: string): Promise<StormEvent | undefined> {
    try {
      return (await this.#readRows()).get(eventId);
    } catch (error) {
      // The poll reports problems of the list; revisions can be followed without it.
      if (!isHttpFailure(error)) throw error;
      return undefined;
    }
  }

  /** Reads the list of events, by id in its order. Calls before the request is sent share it. @throws HttpFailure */
  #readRows(): Promise<EventRows> {
    return (this.#readingRows ??= Promise.resolve().then(async () => {
      this.#readingRows = undefined;
      const answer = await this.#tools.remote.listEvents(this.#rowsEtag);
      if (!answer) return this.#rows;
      const entries = toEvents(answer.value);
      for (const { problem: message } of entries) {
        if (message !== undefined) this.#complain({ eventId: "", kind: "refused", message });
      }
      this.#rowsEtag = answer.etag;
      return (this.#rows = new Map(entries.flatMap(({ value }) => (value ? [[value.id, value]] : []))));
    }));
  }

  #follow(row: StormEvent): void {
    const follower = this.#followers.get(row.id);
    if (follower) follower.offer(row);
    else this.#followers.set(row.id, new EventFollower(row, this.#tools));
  }

  /** Follows events of earlier runs: a full list may omit them, and they are known while the service is down. */
  async #followHeld(): Promise<void> {
    try {
      for (const held of await this.#options.catalog.listEvents(maxHeldEvents)) {
        if (held.mirrorOf === this.#baseUrl) this.#follow(StormEvent.parse(held));
      }
    } catch (error) {
      this.#options.effects.log("error", `Mirrored events cannot be read: ${messageOf(error)}`, { error });
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

/** Removes credentials, query and trailing slashes, so that one service has one name. */
export function toBaseUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, "");
}
