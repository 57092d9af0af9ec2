// A feed's record of its source's files, by observation window: listed, staged, published or failed. In memory,
// limited to the time that the feed keeps.
import type { ProductId } from "../../../shared/contract/primitives.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { AssetRecord } from "../../catalog/catalog.ts";
import type { SourceAsset } from "./feed-source.ts";
import type { WindowPairing } from "./pairing.ts";

/** A downloaded file in staging. */
export interface StagedFile {
  readonly path: string;
  readonly sha256: string;
  readonly byteLength: number;
  /** Most bytes of memory that drawing takes, estimated. */
  readonly workBytes: number;
}

/** `given-up` until the source has another version. */
export type TrackedState = "listed" | "staged" | "done" | "given-up";

export interface TrackedAsset {
  /** Its newest listing. */
  asset: SourceAsset;
  readonly window: number;
  state: TrackedState;
  /** Its row in the catalog; undefined until it is discovered. */
  assetId: number | undefined;
  staged: StagedFile | undefined;
  /** ETag of the last published version. */
  doneEtag: string | undefined;
  /** Failed attempts at the current version. */
  attempts: number;
  /** Earliest retry, in milliseconds since the Unix epoch. */
  retryAtMs: number;
  /** When the current version was first listed. */
  knownSinceMs: number;
  /** Causes already logged for the current version. */
  readonly reported: Set<string>;
}

interface WindowEntry {
  readonly assets: Map<string, TrackedAsset>;
  readonly published: Set<ProductId>;
}

export class AssetLedger {
  readonly #windows = new Map<number, WindowEntry>();
  readonly #newestWindow = new Map<ProductId, number>();

  /** Restores what an earlier run has published. */
  restore(records: readonly AssetRecord[]): void {
    for (const record of records) {
      const { productId, observedAt, locator, byteLength, etag, lastModifiedAt } = record;
      if (record.status !== "complete" || productId === undefined || observedAt === undefined) continue;
      const asset: SourceAsset = {
        locator,
        name: locator,
        productId,
        observedAt,
        byteLength: byteLength ?? -1,
        etag: etag ?? undefined,
        lastModifiedAt,
      };
      const tracked = this.#add(asset, 0);
      tracked.state = "done";
      tracked.doneEtag = asset.etag;
      this.#entry(tracked.window).published.add(productId);
    }
  }

  /** Merges a listing. Returns files that are new, changed, or without a row, in the listing's order. */
  merge(assets: readonly SourceAsset[], nowMs: number): TrackedAsset[] {
    const fresh: TrackedAsset[] = [];
    for (const asset of assets) {
      const window = observationWindow(asset.observedAt);
      const known = this.#entry(window).assets.get(asset.locator);
      if (!known) fresh.push(this.#add(asset, nowMs));
      else if (!isSameVersion(known.asset, asset)) {
        renew(known, asset, nowMs);
        fresh.push(known);
      } else if (isOpen(known) && known.assetId === undefined) fresh.push(known);
    }
    return fresh;
  }

  /** Removes windows before the one of this time. Returns their staged files. */
  forgetBefore(ms: number): StagedFile[] {
    const first = observationWindow(new Date(ms).toISOString());
    const staged: StagedFile[] = [];
    for (const [window, { assets }] of this.#windows) {
      if (window >= first) continue;
      for (const { staged: file } of assets.values()) if (file) staged.push(file);
      this.#windows.delete(window);
    }
    return staged;
  }

  /** Returns windows with unfinished files, ascending. */
  openWindows(): number[] {
    const open: number[] = [];
    for (const [window, { assets }] of this.#windows) {
      if ([...assets.values()].some(isOpen)) open.push(window);
    }
    return open.sort((a, b) => a - b);
  }

  assetsOf(window: number): readonly TrackedAsset[] {
    return [...(this.#windows.get(window)?.assets.values() ?? [])];
  }

  notePublished(window: number, productId: ProductId): void {
    this.#entry(window).published.add(productId);
  }

  pairingOf(window: number): WindowPairing {
    const { assets, published } = this.#entry(window);
    const open = [...assets.values()].filter(isOpen);
    return {
      arrived: new Set(open.filter(({ state }) => state === "staged").map(productOf)),
      expected: new Set(open.filter(({ state }) => state === "listed").map(productOf)),
      published,
      wentPast: new Set(
        [...this.#newestWindow].filter(([, newest]) => newest > window).map(([productId]) => productId),
      ),
      knownSinceMs: Math.min(...open.map(({ knownSinceMs }) => knownSinceMs)),
    };
  }

  newestWindow(productId: ProductId): number | undefined {
    return this.#newestWindow.get(productId);
  }

  isListed(window: number, productId: ProductId): boolean {
    return this.assetsOf(window).some((tracked) => productOf(tracked) === productId);
  }

  #entry(window: number): WindowEntry {
    let entry = this.#windows.get(window);
    if (!entry) this.#windows.set(window, (entry = { assets: new Map(), published: new Set() }));
    return entry;
  }

  #add(asset: SourceAsset, nowMs: number): TrackedAsset {
    const window = observationWindow(asset.observedAt);
    const tracked: TrackedAsset = {
      asset,
      window,
      state: "listed",
      assetId: undefined,
      staged: undefined,
      doneEtag: undefined,
      attempts: 0,
      retryAtMs: 0,
      knownSinceMs: nowMs,
      reported: new Set(),
    };
    this.#entry(window).assets.set(asset.locator, tracked);
    const newest = this.#newestWindow.get(asset.productId) ?? -Infinity;
    this.#newestWindow.set(asset.productId, Math.max(newest, window));
    return tracked;
  }
}

/** Starts over with a new version. */
function renew(tracked: TrackedAsset, asset: SourceAsset, nowMs: number): void {
  tracked.asset = asset;
  tracked.state = "listed";
  tracked.attempts = 0;
  tracked.retryAtMs = 0;
  tracked.knownSinceMs = nowMs;
  tracked.reported.clear();
}

function productOf({ asset }: TrackedAsset): ProductId {
  return asset.productId;
}

function isOpen({ state }: TrackedAsset): boolean {
  return state === "listed" || state === "staged";
}

/** Compares ETags; size and time if one has no ETag. */
function isSameVersion(a: SourceAsset, b: SourceAsset): boolean {
  if (a.etag !== undefined && b.etag !== undefined) return a.etag === b.etag;
  return a.byteLength === b.byteLength && a.lastModifiedAt === b.lastModifiedAt;
}
