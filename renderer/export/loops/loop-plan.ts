// The frames of a loop and what they are, fixed when saving begins: what arrives later does not change them.
import { toLoopFrames, type LoopFrame } from "../../../shared/revisions/loop-frames.ts";
import { natureOf, type EventNature } from "../../../shared/revisions/event-origin.ts";
import { toClassColors } from "../../../shared/products/color-tables/layer-colors.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import { loopDwellMs } from "../../platform/viewer-limits.ts";
import { knownLayersOf, memoizePerStore, selectSelectedEvent } from "../../state/selectors.ts";
import type { ViewerState } from "../../state/store.ts";
import { loopOrder } from "../../state/timeline/loop.ts";
import type { Speed } from "../../state/timeline/playback.ts";
import { findRevision, type Revision } from "../../state/timeline/revisions.ts";
import { colorsWords } from "../../text/color-text.ts";
import { motionNote } from "../../text/tool-text.ts";

export interface LoopPlan {
  readonly eventId: string;
  readonly label: string;
  readonly nature: EventNature;
  readonly attribution: string;
  readonly disclosure: string;
  /** Sentences about the colors and marks that the frames show. */
  readonly notes: readonly string[];
  /** Sequence after which nothing is known in the frames; undefined for now. */
  readonly knownAt: number | undefined;
  /** Highest sequence of the event when the plan was made. */
  readonly newest: number;
  readonly madeMs: number;
  /** In playing order. */
  readonly frames: readonly LoopFrame<Revision>[];
  /** Frames a second. */
  readonly speed: Speed;
  /** Colors of the legends on screen: 0xAABBGGRR. */
  readonly exactColors: readonly number[];
}

/** The number of frames of a loop, and how long it plays. */
export interface LoopLength {
  readonly revisions: number;
  readonly gaps: number;
  readonly durationMs: number;
  readonly speed: Speed;
}

/** Returns the length of the loop that playback repeats now; undefined if it has fewer than two revisions. */
export const selectLoopLength = memoizePerStore(
  ({ history, loop, playOrder, speed, events, selectedEventId }) => [
    history,
    loop,
    playOrder,
    speed,
    events.list,
    selectedEventId,
  ],
  (state): LoopLength | undefined => {
    const plan = planLoop(state);
    if (!plan) return undefined;
    const revisions = countRevisions(plan);
    const durationMs = toDurationsMs(plan).reduce((sum, ms) => sum + ms);
    return { revisions, gaps: plan.frames.length - revisions, durationMs, speed: plan.speed };
  },
);

/** Returns the plan of the loop that playback repeats now; undefined if it has fewer than two revisions. */
export function planLoop(state: ViewerState): LoopPlan | undefined {
  const event = selectSelectedEvent(state);
  const { revisions, all, attribution, disclosure, latestSequence } = state.history;
  const order = loopOrder(revisions, state.loop, state.playOrder);
  if (!event || order.length < 2) return undefined;
  const played = order.map((sequence) => findRevision(revisions, sequence)!);
  return {
    eventId: event.id,
    label: event.label,
    nature: natureOf(event),
    attribution,
    disclosure,
    notes: [colorsWords(state), motionNote(state)].filter(Boolean),
    knownAt: state.knownAt,
    newest: latestSequence ?? all.at(-1)!.sequence,
    madeMs: state.nowMs,
    frames: toLoopFrames(played, revisions),
    speed: state.speed,
    exactColors: findLegendColors(state),
  };
}

/** Returns how long each frame stays: playback's time, and longer for the last one. */
export function toDurationsMs({ frames, speed }: Pick<LoopPlan, "frames" | "speed">): number[] {
  const stepMs = 1000 / speed;
  return frames.map((_, index) => (index === frames.length - 1 ? Math.max(stepMs, loopDwellMs) : stepMs));
}

export function countRevisions({ frames }: Pick<LoopPlan, "frames">): number {
  return frames.filter((frame) => "revision" in frame).length;
}

function findLegendColors(state: ViewerState): number[] {
  return knownLayersOf(state.history.revisions).flatMap((layer) =>
    getProduct(layer.id).stops.flatMap(({ from }) => {
      const [red, green, blue, alpha] = toClassColors(getProduct(layer.id), state)(from);
      return alpha === 255 ? [(0xff00_0000 | (blue << 16) | (green << 8) | red) >>> 0] : [];
    }),
  );
}
