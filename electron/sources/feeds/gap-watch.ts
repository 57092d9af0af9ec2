// Tells the windows that a source went past without a file, each once.
import { productIds, type ProductId } from "../../../shared/contract/primitives.ts";
import { windowStartAt } from "../../../shared/revisions/observation-window.ts";
import type { AssetLedger } from "./asset-ledger.ts";
import type { FeedJournal } from "./feed-journal.ts";
import { findGaps, gapGraceWindows, gapLength } from "./gaps.ts";

export class GapWatch {
  readonly #ledger: AssetLedger;
  readonly #journal: FeedJournal;
  /** The first window of a product that was not looked at yet. */
  readonly #cursors = new Map<ProductId, number>();

  constructor(ledger: AssetLedger, journal: FeedJournal) {
    this.#ledger = ledger;
    this.#journal = journal;
  }

  /** What an earlier run has dealt with was told by it. */
  restore(): void {
    for (const id of productIds) {
      const newest = this.#ledger.newestWindow(id);
      if (newest !== undefined) this.#cursors.set(id, newest + 1);
    }
  }

  /** After a whole listing. Windows before `firstKept` are of no interest any more. */
  note(firstKept: number): void {
    for (const productId of productIds) {
      const newest = this.#ledger.newestWindow(productId);
      if (newest === undefined) continue;
      const isListed = (window: number): boolean => this.#ledger.isListed(window, productId);
      const last = newest - gapGraceWindows;
      const cursor = this.#cursors.get(productId);
      let first = Math.max(cursor ?? firstKept, firstKept);
      // Before the first file of all, nobody knows of a gap.
      while (cursor === undefined && first < newest && !isListed(first)) first += 1;
      for (const gap of findGaps(first, last, isListed)) {
        const windows = gapLength(gap);
        this.#journal.counts.gaps += windows;
        const observedAt = windowStartAt(gap.firstWindow);
        const message = `The source has nothing for ${windows === 1 ? "this window" : `${windows} windows`}.`;
        this.#journal.add({ kind: "gap", productId, observedAt, message });
      }
      this.#cursors.set(productId, Math.max(first, last + 1));
    }
  }
}
