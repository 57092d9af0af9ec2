// Which revisions change the map's area: those that altered, inside it, a visible layer of a picture that was already
// there. Counted again a moment after the map comes to rest.
import type { Bounds, MrmsLayer } from "../../../shared/contract/index.ts";
import type { AnalysisClient } from "../../frames/analysis-client.ts";
import type { DifferenceAnswer } from "../../frames/analysis-messages.ts";
import { viewChangesPauseMs } from "../../platform/viewer-limits.ts";
import { toRef } from "./change-pair.ts";
import { publicationsOf, type Revision } from "../timeline/revisions.ts";
import { knownLayersOf, memoizePerStore, toLayerViews } from "../selectors.ts";
import type { ViewerState, ViewerStore } from "../store.ts";

export type DifferenceMeasurer = Pick<AnalysisClient, "measureDifference">;

/** Two frames of a visible layer, or one that was added. */
interface Candidate {
  readonly sequence: number;
  readonly before: MrmsLayer | undefined;
  readonly after: MrmsLayer;
}

interface Question {
  readonly within: Bounds;
  readonly candidates: readonly Candidate[];
}

const selectQuestion = memoizePerStore(
  ({ onlyViewChanges, history, layerPreferences, view }) => [
    onlyViewChanges,
    history.revisions,
    layerPreferences,
    view?.bounds,
  ],
  (state): Question | undefined => {
    const within = state.view?.bounds;
    return state.onlyViewChanges && within ? { within, candidates: toCandidates(state) } : undefined;
  },
);

function toCandidates({ history: { revisions }, layerPreferences }: ViewerState): Candidate[] {
  const publications = publicationsOf(revisions);
  return revisions.flatMap((revision, index) => {
    const before = revisions[publications[index]!.supersedes ?? -1];
    if (!before) return [];
    const views = toLayerViews(knownLayersOf(revisions), revision, layerPreferences);
    return views
      .filter(({ delivered, visible }) => delivered && visible)
      .map(({ layer }) => toCandidate(revision, before, layer))
      .filter((candidate) => candidate.before?.imageUrl !== candidate.after.imageUrl);
  });
}

function toCandidate({ sequence }: Revision, { layers }: Revision, after: MrmsLayer): Candidate {
  return { sequence, before: layers.find(({ id }) => id === after.id), after };
}

/** Returns the function that ends it. */
export function followViewChanges(store: ViewerStore, analysis: DifferenceMeasurer): () => void {
  let question: Question | undefined;
  /** Answers for the bounds of the question, by the frames. */
  let answers = new Map<string, boolean>();
  let asking = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = (state: ViewerState): void => {
    const next = selectQuestion(state);
    if (next === question) return;
    const isMoved = next?.within !== question?.within;
    question = next;
    asking.abort();
    clearTimeout(timer);
    if (!next) return;
    if (isMoved) answers = new Map();
    asking = new AbortController();
    const { signal } = asking;
    const run = (): void => void count(store, analysis, next, answers, signal);
    // The first count begins at once.
    if (isMoved && state.viewChanges) timer = setTimeout(run, viewChangesPauseMs);
    else run();
  };
  const stop = store.subscribe(follow);
  follow(store.getState());
  return () => {
    stop();
    clearTimeout(timer);
    asking.abort();
  };
}

async function count(
  store: ViewerStore,
  analysis: DifferenceMeasurer,
  { within, candidates }: Question,
  answers: Map<string, boolean>,
  signal: AbortSignal,
): Promise<void> {
  const sequences = new Set<number>();
  for (const candidate of candidates) {
    const { sequence, before, after } = candidate;
    if (sequences.has(sequence)) continue;
    const key = `${before?.imageUrl ?? ""} ${after.imageUrl}`;
    const isChanged = answers.get(key) ?? (await changesView(analysis, candidate, within, signal));
    if (signal.aborted) return;
    answers.set(key, isChanged);
    if (isChanged) sequences.add(sequence);
  }
  store.getState().receiveViewChanges(sequences);
}

/** A frame that cannot be read or compared may change the view, so it counts. */
async function changesView(
  analysis: DifferenceMeasurer,
  { before, after }: Candidate,
  within: Bounds,
  signal: AbortSignal,
): Promise<boolean> {
  if (!overlaps(after.bounds, within) && !(before && overlaps(before.bounds, within))) return false;
  try {
    // Against itself, an added frame counts the cells that it draws.
    const request = { before: toRef(before ?? after), after: toRef(after), within };
    return isAltered(await analysis.measureDifference(request, signal), before);
  } catch {
    return true;
  }
}

function isAltered(answer: DifferenceAnswer, before: MrmsLayer | undefined): boolean {
  if ("why" in answer) return true;
  const { up, down, appeared, vanished } = answer.cells;
  return up + down + appeared + vanished + answer.uncovered > 0 || (!before && answer.kept > 0);
}

function overlaps([west, south, east, north]: Bounds, [left, bottom, right, top]: Bounds): boolean {
  return west < right && east > left && south < top && north > bottom;
}
