// When may a loop go on to its next picture? Decided from facts alone: never before the present picture is really on
// screen and the next one can be drawn at once, so that playback never shows a blank or half-loaded frame.

import { loopDwellMs } from "../platform/viewer-limits.ts";
import { playOrderAfter } from "./loop.ts";

export const speeds = [1, 2, 4, 8, 15] as const;
/** Revisions a second. */
export type Speed = (typeof speeds)[number];

export interface PlaybackFacts {
  /** Sequences of the loop in the order of playing. */
  readonly order: readonly number[];
  /** What is wanted on screen now. */
  readonly current: number;
  /** What really is on screen. */
  readonly drawn: number | undefined;
  /** How long `current` has been on screen. */
  readonly shownMs: number;
  readonly speed: Speed;
  /** Whether a revision could be drawn in the next repaint, or has failed for good and is passed over. */
  readonly stateOf: (sequence: number) => "ready" | "loading" | "failed";
}

export type PlaybackDecision =
  | { readonly kind: "advance"; readonly to: number }
  /** Time has not come. */
  | { readonly kind: "wait" }
  /** Time has come, the picture has not. */
  | { readonly kind: "buffer" }
  /** There is nothing to go on to. */
  | { readonly kind: "stop" };

export function decidePlayback(facts: PlaybackFacts): PlaybackDecision {
  const { order, current, drawn, shownMs, speed } = facts;
  const next = nextOf(facts);
  if (next === undefined) return { kind: "stop" };
  const atEnd = current === order.at(-1);
  if (shownMs < Math.max(1000 / speed, atEnd ? loopDwellMs : 0)) return { kind: "wait" };
  if (drawn !== current && facts.stateOf(current) !== "failed") return { kind: "buffer" };
  return facts.stateOf(next) === "ready" ? { kind: "advance", to: next } : { kind: "buffer" };
}

/** The next revision of the loop that has not failed; undefined when there is no other. */
function nextOf({ order, current, stateOf }: PlaybackFacts): number | undefined {
  const others = playOrderAfter(order, current);
  return others.find((sequence) => stateOf(sequence) !== "failed");
}
