// The lock of panes that are compared: which revision a pane shows while another one leads. Pure. Pictures are matched
// by two-minute windows, because the valid times of one window differ by seconds.
import { windowMs } from "../../../shared/revisions/observation-window.ts";
import { staleAfterMs } from "../../platform/viewer-limits.ts";
import { inPlayOrder } from "../timeline/play-order.ts";
import type { Revision } from "../timeline/revisions.ts";

/**
 * `observed`: the same UTC window. `sequence`: the same publication number. `onset`: as many windows after the pane's
 * own onset. `off`: each pane by itself.
 */
export const locks = ["observed", "sequence", "onset", "off"] as const;
export type Lock = (typeof locks)[number];

/** A pane that leads, at the revision that it shows or is about to show. */
export interface Lead {
  readonly revision: Revision;
  /** The window of its onset; undefined if unknown. */
  readonly onset: number | undefined;
}

/** A pane that follows. */
export interface Follower {
  /** The revisions that the pane knows, ascending. */
  readonly revisions: readonly Revision[];
  readonly onset: number | undefined;
}

export type Locked =
  | { readonly kind: "shown"; readonly revision: Revision }
  /** The follower has nothing there, and keeps its picture. */
  | { readonly kind: "begins" | "ends"; readonly at: Revision }
  | { readonly kind: "no-such-sequence"; readonly sequence: number; readonly last: number }
  | { readonly kind: "no-onset" | "empty" };

/** Returns what a follower shows: the newest of the window, else of the nearest window before it. */
export function findLocked(lock: Exclude<Lock, "off">, lead: Lead, follower: Follower): Locked {
  const { revisions, onset } = follower;
  const last = revisions.at(-1);
  if (!last) return { kind: "empty" };
  if (lock === "sequence") {
    const { sequence } = lead.revision;
    const same = revisions.find((revision) => revision.sequence === sequence);
    return same
      ? { kind: "shown", revision: same }
      : { kind: "no-such-sequence", sequence, last: last.sequence };
  }
  const window = lead.revision.window;
  if (lock === "observed") return findAtOrBefore(revisions, window);
  if (onset === undefined || lead.onset === undefined) return { kind: "no-onset" };
  return findAtOrBefore(revisions, window - lead.onset + onset);
}

/** A picture this much older than the lead is still the newest there is; an older one is past the end. */
const mostBehind = staleAfterMs / windowMs;

function findAtOrBefore(revisions: readonly Revision[], window: number): Locked {
  const windows = inPlayOrder(revisions, "observed");
  const found = windows.findLast((revision) => revision.window <= window);
  if (!found) return { kind: "begins", at: windows[0]! };
  const isPastEnd = found === windows.at(-1) && window - found.window > mostBehind;
  return isPastEnd ? { kind: "ends", at: found } : { kind: "shown", revision: found };
}

/**
 * Returns how much earlier the follower's picture is than the lock asks for, in milliseconds; 0 in the same window,
 * negative if later. Undefined where no times are compared.
 */
export function toLagMs(
  lock: Lock,
  lead: Lead,
  shown: Revision,
  onset: number | undefined,
): number | undefined {
  if (lock === "observed") {
    const isSame = lead.revision.window === shown.window;
    return isSame ? 0 : lead.revision.observedMs - shown.observedMs;
  }
  if (lock !== "onset" || onset === undefined || lead.onset === undefined) return undefined;
  return (lead.revision.window - lead.onset - (shown.window - onset)) * windowMs;
}
