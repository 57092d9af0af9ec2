// Pairs the two products of an observation window: when to publish what has arrived, and how long to wait for the rest.
import { productIds, type ProductId } from "../../../shared/contract/primitives.ts";

/** The state of one window. */
export interface WindowPairing {
  /** Products with a downloaded, unpublished file. */
  readonly arrived: ReadonlySet<ProductId>;
  /** Products with a published layer. */
  readonly published: ReadonlySet<ProductId>;
  /** Products that the source lists and whose download has not been given up. */
  readonly expected: ReadonlySet<ProductId>;
  /** Products for which the source lists a newer window. */
  readonly wentPast: ReadonlySet<ProductId>;
  /** When its first file was listed, in milliseconds since the Unix epoch. */
  readonly knownSinceMs: number;
}

export type PairingDecision =
  | { readonly kind: "nothing" }
  | { readonly kind: "publish" }
  | { readonly kind: "wait"; readonly untilMs: number };

/**
 * Publishes a window with both products at once. A window that lacks one waits at most `waitMs` since it was first
 * listed, and not at all if the source already lists newer windows of the missing product. A later arrival completes
 * or corrects a published window at once.
 */
export function decidePairing(pairing: WindowPairing, nowMs: number, waitMs: number): PairingDecision {
  const { arrived, published, expected, wentPast, knownSinceMs } = pairing;
  if (arrived.size === 0) return { kind: "nothing" };
  const missing = productIds.filter((id) => !arrived.has(id) && !published.has(id));
  const worthWaiting = missing.some((id) => expected.has(id) || !wentPast.has(id));
  if (published.size > 0 || !worthWaiting) return { kind: "publish" };
  const untilMs = knownSinceMs + waitMs;
  // A window must not wait longer because the clock was set back.
  if (nowMs >= untilMs || nowMs < knownSinceMs) return { kind: "publish" };
  return { kind: "wait", untilMs };
}
