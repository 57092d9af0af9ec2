// As known at: a drag of the handle over 1,000 revisions, in the state. A move is the store's update and everything
// that the screen derives from it, the scene of the map included; nothing is kept from one move for the next.
import { createRandom } from "../../electron/pipeline/demo/random.ts";
import { inPlayOrder } from "../../renderer/state/timeline/play-order.ts";
import { findLoopEnds, loopOrder } from "../../renderer/state/timeline/loop.ts";
import { createReadinessSelector } from "../../renderer/state/timeline/readiness.ts";
import { publicationsOf } from "../../renderer/state/timeline/revisions.ts";
import {
  selectIsPast,
  selectNewerCount,
  selectNewestObservedMs,
  selectShownRevision,
} from "../../renderer/state/selectors.ts";
import {
  selectNextCorrection,
  selectOtherVersion,
  toStanding,
} from "../../renderer/state/timeline/standing.ts";
import { createSceneSelector } from "../../renderer/state/to-scene.ts";
import type { ViewerState } from "../../renderer/state/store.ts";
import { exampleStore, type ExampleFrame } from "../../renderer/support/example-data.ts";
import type { BenchRow } from "./bench-row.ts";

const revisionCount = 1_000;
const moves = 2_000;
const warmUpMoves = 200;
const targetMs = 4;
/** Share of revisions that correct an older window. */
const correctedShare = 0.15;

export function run(): Promise<BenchRow[]> {
  const store = exampleStore(createFrames());
  const selectScene = createSceneSelector();
  const selectReadiness = createReadinessSelector(store.getState().history.all);
  const random = createRandom(1_000);
  const times: number[] = [];
  let shown = 0;
  for (let move = 0; move < warmUpMoves + moves; move += 1) {
    const sequence = 1 + Math.floor(random() * (revisionCount - 1));
    const startedMs = performance.now();
    store.getState().setKnownAt(sequence);
    const state = store.getState();
    deriveAll(state);
    const scene = selectScene(state);
    selectReadiness(state);
    if (move >= warmUpMoves) times.push(performance.now() - startedMs);
    if (scene.sequence === undefined || scene.sequence > sequence)
      throw new Error("The scene shows a later one.");
    shown += scene.prefetch.length;
  }
  return Promise.resolve([toRow(times, shown / (warmUpMoves + moves))]);
}

/** Derives once what the panels derive after each change. */
function deriveAll(state: ViewerState): void {
  const { revisions } = state.history;
  publicationsOf(revisions);
  const revision = selectShownRevision(state);
  if (!revision) throw new Error("No revision is shown.");
  toStanding(state, revision);
  selectNextCorrection(state, 1);
  selectNextCorrection(state, -1);
  selectOtherVersion(state);
  selectIsPast(state);
  selectNewerCount(state);
  selectNewestObservedMs(state);
  inPlayOrder(revisions, state.playOrder);
  loopOrder(revisions, state.loop, state.playOrder);
  findLoopEnds(revisions, state.loop);
}

/** Returns windows in order of observation, and corrections of one of the last 100 windows among them. */
function createFrames(): ExampleFrame[] {
  const random = createRandom(720);
  let windows = 0;
  return Array.from({ length: revisionCount }, (_, index) => {
    const sequence = index + 1;
    if (windows > 0 && random() < correctedShare) {
      const window = Math.max(0, windows - 1 - Math.floor(random() * 100));
      return { sequence, minute: 2 * window, variant: `corrected-${sequence}` };
    }
    windows += 1;
    return { sequence, minute: 2 * (windows - 1) };
  });
}

function toRow(times: number[], prefetched: number): BenchRow {
  const sorted = times.toSorted((first, second) => first - second);
  const quantile = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)]!;
  const p99 = quantile(0.99);
  return {
    row: 0,
    name: `known at while dragging over ${revisionCount} revisions`,
    metric: "ms a move, p99",
    ours: p99,
    peer: null,
    peerName: "-",
    ratio: null,
    target: `under ${targetMs} ms`,
    met: p99 < targetMs,
    note: `${moves} moves; median ${quantile(0.5).toFixed(2)} ms, longest ${quantile(1).toFixed(2)} ms; ${prefetched.toFixed(1)} frames prefetched`,
  };
}
