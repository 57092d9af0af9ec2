// Has the analysis worker look at each new newest revision for the person's rules, and tells of each storm once.
import { isAppError } from "../../../shared/app-error.ts";
import { followStorms } from "../../../shared/analysis/watch/told-storms.ts";
import type { WatchedGround } from "../../../shared/analysis/watch/matching-areas.ts";
import type { Coordinate } from "../../../shared/contract/index.ts";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import type { AnalysisClient } from "../../frames/analysis-client.ts";
import type { StoredValue } from "../../platform/stored-value.ts";
import { selectSelectedEvent } from "../selectors.ts";
import type { ViewerState, ViewerStore } from "../store.ts";
import type { Revision } from "../timeline/revisions.ts";
import { loadTold, rulePart, saveTold, type KeptTold } from "./kept-told.ts";
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
  readonly kept: StoredValue<KeptTold>;
}

/** A revision to look at, as the viewer stood when it arrived. */
interface Look {
  readonly revision: Revision;
  readonly state: ViewerState;
  readonly told: KeptTold;
}

/** Returns the function that ends it. */
export function startWatch({ store, analysis, describePlace, announce, kept }: WatchParts): () => void {
  let watched: Watched | undefined;
  let ofEvent: KeptTold | undefined;
  const ending = new AbortController();
  // One revision after the other, in order of arrival.
  let queue = Promise.resolve();

  async function look(rule: WatchRule, { revision, state, told }: Look): Promise<void> {
    const layer = revision.layers.find(({ id }) => id === rule.layer);
    const event = selectSelectedEvent(state);
    // A layer of an earlier window was looked at with its own.
    if (!event || !layer || observationWindow(layer.observedAt) !== revision.window) return;
    const ground = toGround(rule, state);
    if (!ground) return;
    const areas = await analysis.findAreas(
      {
        frame: { imageUrl: layer.imageUrl, bounds: layer.bounds },
        lower: rule.lower,
        ground,
      },
      ending.signal,
    );
    const observedMs = Date.parse(layer.observedAt);
    const part = rulePart(rule);
    const followed = followStorms(told.byRule[part] ?? [], areas.areas, observedMs);
    told.byRule[part] = followed.told;
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

  async function lookAll(looked: Look): Promise<void> {
    const { watchRules } = looked.state;
    for (const rule of watchRules) {
      if (!rule.isOn) continue;
      try {
        await look(rule, looked);
      } catch (error) {
        // A frame that cannot be read tells nothing; the map says why.
        if (!ending.signal.aborted && !isAppError(error)) throw error;
      }
    }
    saveTold(kept, looked.told, watchRules);
  }

  const follow = (state: ViewerState): void => {
    const { selectedEventId, history } = state;
    if (selectedEventId === undefined || history.phase !== "ready") return;
    if (ofEvent?.eventId !== selectedEventId) ofEvent = loadTold(kept, selectedEventId);
    const arrival = findArrival(watched, selectedEventId, history.all);
    if (!arrival) return;
    watched = arrival.watched;
    const { revision } = arrival;
    if (!revision || state.isVisiting) return;
    const looked = { revision, state, told: ofEvent };
    const next = (): Promise<void> => lookAll(looked);
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

/** Returns undefined for what is in view while there is no map. */
function toGround({ area }: WatchRule, { view }: ViewerState): WatchedGround | undefined {
  if (area.kind === "view") return view && { within: view.bounds };
  if (area.kind === "near") return { around: { center: area.coordinate, km: area.withinKm } };
  return {};
}
