// Measures what changed while the person looks at it: the cells of the pair on screen, and which revisions change the
// map's area. The worker counts; nothing here waits for it.
import type { FrameRef } from "../../frames/frame-ref.ts";
import { messageOf } from "../../../shared/app-error.ts";
import type { Difference } from "../../../shared/analysis/difference.ts";
import type { Bounds } from "../../../shared/contract/index.ts";
import { selectChangePair, toRef, toThreshold } from "./change-pair.ts";
import { memoizePerStore } from "../selectors.ts";
import type { MeasuredChange } from "../slices/change-slice.ts";
import type { ViewerState, ViewerStore } from "../store.ts";
import { followViewChanges, type DifferenceMeasurer } from "./view-changes.ts";

/** Returns the function that ends it. */
export function startChangeSession(store: ViewerStore, analysis: DifferenceMeasurer): () => void {
  const stops = [followPair(store, analysis), followViewChanges(store, analysis)];
  return () => {
    for (const stop of stops) stop();
  };
}

interface Question {
  /** The same for every view. */
  readonly key: string;
  readonly before: FrameRef;
  readonly after: FrameRef;
  readonly threshold: number;
  readonly within: Bounds;
}

const selectQuestion = memoizePerStore(
  (state) => [state.isComparing, selectChangePair(state), state.changeThresholds, state.view?.bounds],
  (state): Question | undefined => {
    const pair = selectChangePair(state)?.shown;
    const within = state.view?.bounds;
    if (!state.isComparing || !within || !pair?.before || !pair.after) return undefined;
    const { before, after } = pair;
    const key = selectMeasuredKey(state)!;
    return { key, before: toRef(before), after: toRef(after), threshold: toThreshold(state, after), within };
  },
);

/** Returns the key of the measurement that belongs on screen; undefined if there is nothing to measure. */
export function selectMeasuredKey(state: ViewerState): string | undefined {
  const pair = selectChangePair(state)?.shown;
  if (!pair?.before || !pair.after) return undefined;
  return [pair.before.imageUrl, pair.after.imageUrl, toThreshold(state, pair.after)].join(" ");
}

/** Measures the pair on screen, again when it, the threshold or the view changes. */
function followPair(store: ViewerStore, analysis: DifferenceMeasurer): () => void {
  let question: Question | undefined;
  let asking = new AbortController();
  const follow = (state: ViewerState): void => {
    const next = selectQuestion(state);
    if (next === question) return;
    question = next;
    asking.abort();
    asking = new AbortController();
    if (next) void measure(store, analysis, next, asking.signal);
  };
  const stop = store.subscribe(follow);
  follow(store.getState());
  return () => {
    stop();
    asking.abort();
  };
}

async function measure(
  store: ViewerStore,
  analysis: DifferenceMeasurer,
  { key, within, ...request }: Question,
  signal: AbortSignal,
): Promise<void> {
  const { measuredChange } = store.getState();
  const known = measuredChange?.key === key && "inAll" in measuredChange ? measuredChange.inAll : undefined;
  const answer = await toAnswer(async () => {
    const inAll = known ?? (await analysis.measureDifference(request, signal));
    if ("why" in inAll) return { key, status: "incomparable", why: inAll.why };
    // Two frames that can be compared can be compared within any bounds.
    const inView = (await analysis.measureDifference({ ...request, within }, signal)) as Difference;
    return { key, status: "measured", inView, inAll };
  }, key);
  if (!signal.aborted) store.getState().receiveMeasuredChange(answer);
}

async function toAnswer(ask: () => Promise<MeasuredChange>, key: string): Promise<MeasuredChange> {
  try {
    return await ask();
  } catch (error) {
    return { key, status: "failed", why: messageOf(error) };
  }
}
