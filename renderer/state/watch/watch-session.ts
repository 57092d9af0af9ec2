// Has the analysis worker look at each new newest revision for the person's rules, and tells of each storm once.
import { isAppError } from "../../../shared/app-error.ts";
import { followStorms, type ToldStorm } from "../../../shared/analysis/watch/told-storms.ts";
import type { WatchedGround } from "../../../shared/analysis/watch/matching-areas.ts";
import type { Coordinate } from "../../../shared/contract/index.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import type { AnalysisClient } from "../../frames/analysis-client.ts";
import { selectSelectedEvent } from "../selectors.ts";
import type { ViewerState, ViewerStore } from "../store.ts";
import type { Revision } from "../timeline/revisions.ts";
import { findArrival, type Watched } from "./newest-window.ts";
import type { WatchRule } from "./watch-rule.ts";
import type { StormTold } from "./watch-slice.ts";

export interface WatchParts {
  readonly store: ViewerStore;
  readonly analysis: Pick<AnalysisClient, "findAreas">;
  /** `9 mi northeast of Norman` */
  readonly describePlace: (coordinate: Coordinate) => Promise<string | undefined>;
  /** Notice, sound and speech. */
  readonly announce: (storm: StormTold, rule: WatchRule) => void;
}

/** Returns the function that ends it. */
export function startWatch({ store, analysis, describePlace, announce }: WatchParts): () => void {
  let watched: Watched | undefined;
  /** By rule; a rule that changed begins anew. */
  let told = new WeakMap<WatchRule, readonly ToldStorm[]>();
  const ending = new AbortController();
  // One revision after the other, in order of arrival.
  let queue = Promise.resolve();

  async function look(rule: WatchRule, revision: Revision, state: ViewerState): Promise<void> {
    const layer = revision.layers.find(({ id }) => id === rule.layer);
    const event = selectSelectedEvent(state);
    // A layer of an earlier window was looked at with its own.
    if (!event || !layer || observationWindow(layer.observedAt) !== revision.window) return;
    const areas = await analysis.findAreas(
      {
        frame: { imageUrl: layer.imageUrl, bounds: layer.bounds },
        lower: rule.lower,
        ground: toGround(rule, state),
      },
      ending.signal,
    );
    const observedMs = Date.parse(layer.observedAt);
    const followed = followStorms(told.get(rule) ?? [], areas.areas, observedMs);
    told.set(rule, followed.told);
    for (const area of followed.fresh) {
      const published =
        revision.revisionId === undefined ? undefined : store.getState().publishedAt[revision.revisionId];
      const storm: StormTold = {
        ruleId: rule.id,
        layer: rule.layer,
        range: area.range,
        place: await describePlace(area.peak),
        observedMs,
        publishedMs: typeof published === "object" ? Date.parse(published.at) : undefined,
        nature: natureOf(event),
      };
      if (ending.signal.aborted) return;
      store.getState().tellStorm(storm);
      announce(storm, rule);
    }
  }

  async function lookAll(revision: Revision, state: ViewerState): Promise<void> {
    for (const rule of state.watchRules) {
      if (!rule.isOn) continue;
      try {
        await look(rule, revision, state);
      } catch (error) {
        // A frame that cannot be read tells nothing; the map says why.
        if (!ending.signal.aborted && !isAppError(error)) throw error;
      }
    }
  }

  const follow = (state: ViewerState): void => {
    const { selectedEventId, history } = state;
    if (selectedEventId === undefined || history.phase !== "ready") return;
    if (watched?.eventId !== selectedEventId) told = new WeakMap();
    const arrival = findArrival(watched, selectedEventId, history.all);
    if (!arrival) return;
    watched = arrival.watched;
    const { revision } = arrival;
    if (!revision || state.isVisiting) return;
    const next = (): Promise<void> => lookAll(revision, state);
    // A failure of one revision does not end the watch.
    queue = queue.then(next, next);
  };
  follow(store.getState());
  const unsubscribe = store.subscribe((state, previous) => {
    if (state.history !== previous.history || state.selectedEventId !== previous.selectedEventId)
      follow(state);
  });
  return () => {
    unsubscribe();
    ending.abort();
  };
}

function toGround({ area }: WatchRule, { view }: ViewerState): WatchedGround {
  if (area.kind === "view") return { within: view?.bounds };
  if (area.kind === "near") return { around: { center: area.coordinate, km: area.withinKm } };
  return {};
}
