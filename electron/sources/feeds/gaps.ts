// Windows of a product that the source skipped.
import { productIds, type ProductId } from "../../../shared/contract/primitives.ts";
import { windowStartAt } from "../../../shared/revisions/observation-window.ts";
import type { AssetLedger } from "./asset-ledger.ts";
import type { FeedJournal } from "./feed-journal.ts";
import { gapGraceWindows } from "./feed-limits.ts";

export interface Gap {
  readonly firstWindow: number;
  readonly lastWindow: number;
  /** Number of windows. */
  readonly length: number;
}

/** Returns the runs of windows from `fromWindow` to `toWindow`, inclusive and ascending, that `has` denies. */
export function findGaps(fromWindow: number, toWindow: number, has: (window: number) => boolean): Gap[] {
  const gaps: Gap[] = [];
  let first: number | undefined;
  for (let window = fromWindow; window <= toWindow + 1; window += 1) {
    const isMissing = window <= toWindow && !has(window);
    if (isMissing) first ??= window;
    else if (first !== undefined) {
      gaps.push({ firstWindow: first, lastWindow: window - 1, length: window - first });
      first = undefined;
    }
  }
  return gaps;
}

/** Logs and counts a gap. */
export function reportGap(journal: FeedJournal, productId: ProductId, { firstWindow, length }: Gap): void {
  journal.counts.gaps += length;
  const message = `The source has no file for ${length === 1 ? "this window" : `${length} windows`}.`;
  journal.add({ kind: "gap", productId, observedAt: windowStartAt(firstWindow), message });
}

/** Reports each gap of a running feed once. */
export class GapWatch {
  readonly #ledger: AssetLedger;
  readonly #journal: FeedJournal;
  /** First window of a product that was not checked yet. */
  readonly #cursors = new Map<ProductId, number>();

  constructor(ledger: AssetLedger, journal: FeedJournal) {
    this.#ledger = ledger;
    this.#journal = journal;
  }

  /** Skips what an earlier run has reported. */
  restore(): void {
    for (const id of productIds) {
      const newest = this.#ledger.newestWindow(id);
      if (newest !== undefined) this.#cursors.set(id, newest + 1);
    }
  }

  /** Checks a complete listing, from the window `firstKept`. */
  note(firstKept: number): void {
    for (const productId of productIds) {
      const newest = this.#ledger.newestWindow(productId);
      if (newest === undefined) continue;
      const isListed = (window: number): boolean => this.#ledger.isListed(window, productId);
      const last = newest - gapGraceWindows;
      const cursor = this.#cursors.get(productId);
      let first = Math.max(cursor ?? firstKept, firstKept);
      // Before the first file ever seen, a missing window is not known to be a gap.
      while (cursor === undefined && first < newest && !isListed(first)) first += 1;
      for (const gap of findGaps(first, last, isListed)) reportGap(this.#journal, productId, gap);
      this.#cursors.set(productId, Math.max(first, last + 1));
    }
  }
}
