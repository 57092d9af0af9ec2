// What a feed tells of its listings: whatever in them cannot be used, each thing once.
import { futureToleranceMs } from "../../catalog/event-rules.ts";
import type { FeedJournal } from "./feed-journal.ts";
import type { Listing, SourceAsset } from "./feed-source.ts";
import { ToldCauses } from "./told-causes.ts";

/** So many things of one listing are told; a folder full of them must not fill the log. */
const tellLimit = 200;

export class ListingJournal {
  readonly #journal: FeedJournal;
  readonly #told = new ToldCauses();

  constructor(journal: FeedJournal) {
    this.#journal = journal;
  }

  tellProblems({ strange, unreadable }: Pick<Listing, "strange" | "unreadable">): void {
    for (const { what, message } of [...unreadable, ...strange].slice(0, tellLimit)) {
      if (!this.#told.tellOnce(`name ${what}`)) continue;
      this.#journal.counts.failed += 1;
      this.#journal.add({ kind: "failed", locator: what, message });
    }
  }

  /** The files whose observation the clock has come to. The others are told as refused. */
  refuseAhead(assets: readonly SourceAsset[], nowMs: number): readonly SourceAsset[] {
    const { ahead = [], usable = [] } = Object.groupBy(assets, ({ observedAt }) =>
      Date.parse(observedAt) - nowMs > futureToleranceMs ? "ahead" : "usable",
    );
    for (const { observedAt, locator, productId } of ahead.slice(0, tellLimit)) {
      if (!this.#told.tellOnce(`ahead ${locator}`)) continue;
      this.#journal.counts.failed += 1;
      const message = "Its observation is too far ahead of the clock.";
      this.#journal.add({ kind: "refused", productId, observedAt, locator, message });
    }
    return usable;
  }
}
