// Follows one event of another service: reads its list of revisions when something may be new, and takes over what is newer
// than ours in ascending sequence. Every step can be repeated: whatever ended in between, the next round goes on from what the
// catalog holds.
import { isAppError, messageOf } from "../../../shared/app-error.ts";
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import type { StormRevisionReady } from "../../../shared/contract/messages.ts";
import type { StormEvent } from "../../../shared/contract/storm-event.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Effects } from "../../platform/effects.ts";
import { backoffMs, type BackoffBounds } from "../fetching/backoff.ts";
import { EventCopy, type EventCopyTools } from "./event-copy.ts";
import { createBell, type Bell } from "./bell.ts";
import { createEventHealth, type EventHealth } from "./event-health.ts";
import type { FrameCopies } from "./frame-copies.ts";
import type { Link } from "./link.ts";
import type { MirrorLog } from "./mirror-log.ts";
import { isMirrorFault } from "./mirror-fault.ts";
import { followNotices, type NoticeStreamTiming } from "./notice-stream.ts";
import type { RemoteService } from "./remote-service.ts";
import { RevisionCopier, type RoundEnd } from "./revision-copier.ts";
import type { Limit } from "../../platform/locks/limit.ts";

export interface FollowerTools {
  readonly source: string;
  readonly remote: RemoteService;
  readonly copies: FrameCopies;
  readonly catalog: Catalog;
  readonly effects: Pick<Effects, "now" | "sleep" | "random" | "log">;
  readonly log: MirrorLog;
  readonly link: Link;
  /** Limits how many events are read at once. */
  readonly limit: Limit;
  readonly readRow: EventCopyTools["readRow"];
  /** Asks for a look at the service soon: a sign that it may be gone. */
  readonly checkService: () => void;
  readonly retry: BackoffBounds;
  readonly keepMs: number | undefined;
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
    this.#health = createEventHealth({ source, eventId }, link, effects.now);
    const copier = new RevisionCopier(eventId, { ...tools, now: effects.now }, this.#health, signal);
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
          this.#hear(notice);
        },
      },
      signal,
    );
    this.#work = Promise.all([this.#run(signal), stream]);
  }

  /** The event as the other side lists it now. */
  offer(row: StormEvent): void {
    const isNews = JSON.stringify(row) !== JSON.stringify(this.#row);
    this.#row = row;
    // Without the id of its newest revision, only its revisions tell whether something is new.
    if (typeof row.currentRevisionId !== "string") this.#copy.expectNews();
    if (isNews || typeof row.currentRevisionId !== "string") this.#bell.ring();
  }

  setNextCheck(at: string | null): void {
    this.#health.nextCheckAt = at;
  }

  health(): FeedHealth {
    return this.#health.report(this.#row.kind === "operational-feed" && this.#row.status === "active");
  }

  async close(): Promise<void> {
    if (!this.#ending.signal.aborted) {
      this.#ending.abort();
      this.#health.isStopped = true;
    }
    await this.#work;
  }

  #hear(notice: StormRevisionReady): void {
    if (this.#copy.hear(notice)) this.#readAgain();
  }

  #readAgain(): void {
    this.#copy.expectNews();
    this.#bell.ring();
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        const end = await this.#tools.limit(() => this.#round());
        signal.throwIfAborted();
        if (end !== "more") await this.#bell.wait(end === "done" ? undefined : this.#retryDelayMs(), signal);
      }
    } catch (error) {
      if (error !== signal.reason) throw error;
    }
  }

  #retryDelayMs(): number {
    return backoffMs(this.#failures, this.#tools.retry, this.#tools.effects.random);
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

  /** Says what ended a round. What forbids following the event waits for news, everything else is tried again. */
  #explain(error: unknown): RoundEnd {
    const { log, effects } = this.#tools;
    const eventId = this.#row.id;
    if (isMirrorFault(error, "link")) return "again";
    this.#health.isFailing = true;
    if (isAppError(error, "conflict")) {
      log.complain({ eventId, kind: "refused", message: error.detail });
      return "done";
    }
    if (isMirrorFault(error) || isAppError(error)) {
      if (log.complain({ eventId, kind: "failed", message: error.message })) this.#health.counts.failed += 1;
      return "again";
    }
    effects.log("error", `Following an event failed: ${messageOf(error)}`, { eventId, error });
    return "again";
  }
}
