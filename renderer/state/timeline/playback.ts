// Decides when a loop may advance: only when the current picture is on screen and the next one can be drawn at once.
// Playback never shows a blank or half-loaded frame. Pure.

import { loopDwellMs } from "../../platform/viewer-limits.ts";
import { playOrderAfter } from "./loop.ts";

export const speeds = [1, 2, 4, 8, 15] as const;
/** Revisions a second. */
export type Speed = (typeof speeds)[number];

export interface PlaybackFacts {
  /** Sequences of the loop in playing order. */
  readonly order: readonly number[];
  /** Sequence wanted on screen now. */
  readonly current: number;
  /** Sequence in `order` that stands for the current one, which may have been replaced. */
  readonly place: number;
  /** Sequence on screen. */
  readonly drawn: number | undefined;
  /** Time since `current` became the wanted one. */
  readonly shownMs: number;
  readonly speed: Speed;
  /** "ready" revisions can be drawn in the next repaint; "failed" ones are skipped. */
  readonly stateOf: (sequence: number) => "ready" | "loading" | "failed";
}

export type PlaybackDecision =
  | { readonly kind: "advance"; readonly to: number }
  /** The step is not due. */
  | { readonly kind: "wait" }
  /** The step is due, but its picture is not ready. */
  | { readonly kind: "buffer" }
  /** The loop has no other picture. */
  | { readonly kind: "stop" };

export function decidePlayback(facts: PlaybackFacts): PlaybackDecision {
  const { order, current, place, drawn, shownMs, speed } = facts;
  const next = nextOf(facts);
  if (next === undefined) return { kind: "stop" };
  const atEnd = place === order.at(-1);
  if (shownMs < Math.max(1000 / speed, atEnd ? loopDwellMs : 0)) return { kind: "wait" };
  if (drawn !== current && facts.stateOf(current) !== "failed") return { kind: "buffer" };
  return facts.stateOf(next) === "ready" ? { kind: "advance", to: next } : { kind: "buffer" };
}

/** Returns the next revision of the loop that has not failed. */
function nextOf({ order, place, stateOf }: PlaybackFacts): number | undefined {
  const others = playOrderAfter(order, place);
  return others.find((sequence) => stateOf(sequence) !== "failed");
}
