// Follows one event of the remote service: reads its list of revisions when something may be new, and copies newer
// ones. Every step can be repeated: after an interruption the next round continues from what the catalog holds.
import { isAppError, messageOf } from "../../../shared/app-error.ts";
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import type { StormEvent } from "../../../shared/contract/storm-event.ts";
import type { Effects } from "../../platform/effects.ts";
import type { Limit } from "../../platform/locks/limit.ts";
import { backoffMs, type BackoffBounds } from "../fetching/backoff.ts";
import { createBell, type Bell } from "../fetching/bell.ts";
import { isHttpFailure, isLinkFailure } from "../fetching/http-failure.ts";
import { EventCopy, type EventCopyTools } from "./event-copy.ts";
import { EventHealth } from "./event-health.ts";
import type { Link } from "./link.ts";
import type { NoticeStreamTiming } from "./mirror-limits.ts";
import { followNotices } from "./notice-stream.ts";
import { RevisionCopier, type CopierTools, type RoundEnd } from "./revision-copier.ts";

export interface FollowerTools extends CopierTools, Omit<EventCopyTools, "copier" | "health"> {
  readonly catalog: CopierTools["catalog"] & EventCopyTools["catalog"];
  readonly source: string;
  readonly effects: Pick<Effects, "now" | "sleep" | "random" | "log">;
  readonly link: Link;
  /** Limits how many events are read at once. */
  readonly limit: Limit;
  /** Polls the service soon, since it may be down. */
  readonly checkService: () => void;
  readonly retry: BackoffBounds;
  readonly streamTiming: NoticeStreamTiming;
}

export class EventFollower {
  readonly #tools: FollowerTools;
  readonly #ending = new AbortController();
  readonly #bell: Bell;
  readonly #health: EventHealth;
  readonly #copy: EventCopy;
  readonly #work: Promise<unknown>;
  #row: StormEvent;
  #failures = 0;

  constructor(row: StormEvent, tools: FollowerTools) {
    const { source, effects, link, remote } = tools;
    const { signal } = this.#ending;
    const eventId = row.id;
    this.#row = row;
    this.#tools = tools;
    this.#bell = createBell(effects.sleep);
    this.#health = new EventHealth({ source, eventId }, link, effects.now);
    const copier = new RevisionCopier(eventId, tools, this.#health, signal);
    this.#copy = new EventCopy(eventId, { ...tools, copier, health: this.#health });
    const stream = followNotices(
      {
        baseUrl: remote.baseUrl,
        eventId,
        effects,
        timing: tools.streamTiming,
        onOpen: () => {
          this.#readAgain();
        },
        onLost: tools.checkService,
        onNotice: (notice) => {
          if (this.#copy.hear(notice)) this.#readAgain();
        },
      },
      signal,
    );
    this.#work = Promise.all([this.#run(signal), stream]);
  }

  /** Takes the event's current row from the remote list. */
  offer(row: StormEvent): void {
    const isNews = JSON.stringify(row) !== JSON.stringify(this.#row);
    this.#row = row;
    // Without the id of the newest revision, only the list of revisions shows news.
    const hidesNews = typeof row.currentRevisionId !== "string";
    if (hidesNews) this.#copy.expectNews();
    if (isNews || hidesNews) this.#bell.ring();
  }

  setNextCheck(at: string | null): void {
    this.#health.nextCheckAt = at;
  }

  health(): FeedHealth {
    return this.#health.report(this.#row.kind === "operational-feed" && this.#row.status === "active");
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.#health.isStopped = true;
    await this.#work;
  }

  #readAgain(): void {
    this.#copy.expectNews();
    this.#bell.ring();
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { limit, retry, effects } = this.#tools;
    try {
      for (;;) {
        const end = await limit(() => this.#round());
        signal.throwIfAborted();
        if (end === "done") await this.#bell.wait(undefined, signal);
        if (end === "again") await this.#bell.wait(backoffMs(this.#failures, retry, effects.random), signal);
      }
    } catch (error) {
      if (error !== signal.reason) throw error;
    }
  }

  async #round(): Promise<RoundEnd> {
    this.#ending.signal.throwIfAborted();
    try {
      const end = await this.#copy.advance(this.#row);
      this.#failures = end === "again" ? this.#failures + 1 : 0;
      return end;
    } catch (error) {
      this.#ending.signal.throwIfAborted();
      this.#failures += 1;
      return this.#explain(error);
    } finally {
      this.#health.hasBegun = true;
    }
  }

  /** Logs what ended a round. A conflict waits for news; everything else is retried. */
  #explain(error: unknown): RoundEnd {
    const { log, effects } = this.#tools;
    const eventId = this.#row.id;
    if (isLinkFailure(error)) return "again";
    this.#health.isFailing = true;
    if (isAppError(error, "conflict")) {
      log.complain({ eventId, kind: "refused", message: error.detail });
      return "done";
    }
    if (isHttpFailure(error) || isAppError(error)) {
      if (log.complain({ eventId, kind: "failed", message: error.message })) this.#health.counts.failed += 1;
      return "again";
    }
    effects.log("error", `Following an event failed: ${messageOf(error)}`, { eventId, error });
    return "again";
  }
}
