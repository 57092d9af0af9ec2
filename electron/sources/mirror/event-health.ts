// Health of one mirrored event, or of a remote service whose events are not known yet.
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import type { MrmsLayer } from "../../../shared/contract/manifest.ts";
import type { RevisionChange } from "../../../shared/revisions/publication.ts";
import { FeedNotes } from "../feeds/feed-notes.ts";
import { toFeedState } from "../feeds/feed-state.ts";
import type { Link } from "./link.ts";

type LinkState = Omit<Link, "report">;
type LayerTime = Pick<MrmsLayer, "id" | "observedAt">;

export class EventHealth extends FeedNotes {
  /** Listed revisions that are not copied or given up yet. */
  pending = 0;
  /** True if the newest attempt failed for reasons other than the link. */
  isFailing = false;
  hasBegun = false;
  isStopped = false;
  nextCheckAt: string | null = null;
  readonly #identity: Pick<FeedHealth, "source" | "eventId">;
  readonly #link: LinkState;

  constructor(identity: Pick<FeedHealth, "source" | "eventId">, link: LinkState, now: () => Date) {
    super(now);
    this.#identity = identity;
    this.#link = link;
  }

  noteListedLayers(layers: readonly LayerTime[]): void {
    for (const { id, observedAt } of layers) this.noteListed(id, observedAt);
  }

  /** Notes what the catalog held before this run. */
  noteHeldLayers(layers: readonly LayerTime[]): void {
    for (const { id, observedAt } of layers) this.noteHeld(id, observedAt);
  }

  noteRevision(layers: readonly LayerTime[], change: RevisionChange | undefined): void {
    for (const { id, observedAt } of layers) {
      if (this.notePublished(id, observedAt)) this.noteArrival(id, observedAt);
    }
    this.countRevision(change);
  }

  noteFailedLayers(layers: readonly LayerTime[], message: string): void {
    for (const { id, observedAt } of layers) this.noteFailure(id, observedAt, message);
  }

  /** `isLive`: the event is an active operational feed, so a source without new observations is idle. */
  report(isLive: boolean): FeedHealth {
    const { problem, lastCheckedAt, lastReachedAt } = this.#link;
    return {
      ...this.#identity,
      state: toFeedState({
        isStopped: this.isStopped,
        wasChecked: this.hasBegun,
        hasLinkProblem: problem !== undefined,
        hasProcessingProblem: this.isFailing,
        isCatchingUp: this.pending > 0,
        newestListedMs: (isLive ? this.newestListedMs() : undefined) ?? Infinity,
        nowMs: this.nowMs(),
      }),
      lastCheckedAt,
      lastReachedAt,
      nextCheckAt: this.nextCheckAt,
      linkProblem: problem ?? null,
      pendingWindows: this.pending,
      products: this.products(),
      counts: { ...this.counts },
    };
  }
}
