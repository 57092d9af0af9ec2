// Pairing the two products of an observation window: when to publish what is there, and how long to wait for the rest.
// Pure: the clock comes in as a number.
import { productIds, type ProductId } from "../../../shared/contract/primitives.ts";

/** What is known of one window at one moment. */
export interface WindowPairing {
  /** Products with a file here that is fetched and not published. */
  readonly arrived: ReadonlySet<ProductId>;
  /** Products of which the window has a published layer. */
  readonly published: ReadonlySet<ProductId>;
  /** Products that the source lists for this window and that have not been given up. */
  readonly expected: ReadonlySet<ProductId>;
  /** Products of which the source lists a newer window. */
  readonly wentPast: ReadonlySet<ProductId>;
  /** When the first file of the window became known, in milliseconds since the Unix epoch. */
  readonly knownSinceMs: number;
}

export type PairingDecision =
  | { readonly kind: "nothing" }
  | { readonly kind: "publish" }
  | { readonly kind: "wait"; readonly untilMs: number };

/**
 * A window that has both products is published at once; one that lacks a product waits for it, at most `waitMs` from
 * when it became known, and not at all when the source has gone past the window without it. Whatever arrives for a
 * window that has been published completes or corrects it at once.
 */
export function decidePairing(pairing: WindowPairing, nowMs: number, waitMs: number): PairingDecision {
  const { arrived, published, expected, wentPast, knownSinceMs } = pairing;
  if (arrived.size === 0) return { kind: "nothing" };
  const missing = productIds.filter((id) => !arrived.has(id) && !published.has(id));
  const worthWaiting = missing.some((id) => expected.has(id) || !wentPast.has(id));
  if (published.size > 0 || !worthWaiting) return { kind: "publish" };
  const untilMs = knownSinceMs + waitMs;
  // A clock that was set back must not make a window wait for longer than it was to wait at all.
  if (nowMs >= untilMs || nowMs < knownSinceMs) return { kind: "publish" };
  return { kind: "wait", untilMs };
}
