// The panes over the viewer's life: opens and closes them, keeps the memory of all within one bound, moves those that
// are locked, and restores the single view when the comparison ends.
import type { StormClient } from "../../api/client.ts";
import { sharedFrames } from "../../frames/shared-frames.ts";
import type { CacheUse } from "../../map/scene.ts";
import type { ViewerEffects } from "../../platform/page-effects.ts";
import { knownAt as toKnown } from "../../../shared/revisions/known-at.ts";
import type { Playhead } from "../timeline/playhead.ts";
import { startEventReading } from "../reading/event-reading.ts";
import { startPlayback } from "../timeline/playback-driver.ts";
import { createViewerStore, type ViewerState, type ViewerStore } from "../store.ts";
import { toCompanions } from "./companions.ts";
import { followLock } from "./lock-follower.ts";
import { watchOnsets } from "./onset-watch.ts";
import {
  createPanesStore,
  paneLetters,
  selectActivePane,
  selectVisiblePanes,
  type Pane,
  type PaneCount,
  type PaneLetter,
  type PanesStore,
} from "./pane-store.ts";
import { shareScreen, toSharedState } from "./screen-sharing.ts";

export interface PaneSession {
  readonly store: PanesStore;
  readonly setCount: (count: PaneCount) => void;
  /** Gives the lead to another pane, and with it a running loop. */
  readonly activate: (letter: PaneLetter) => void;
  /** Shows the other two of four panes on a narrow screen. */
  readonly showPair: (pair: 0 | 1) => void;
  readonly setNarrow: (isNarrow: boolean) => void;
  /** Takes an event that was removed out of every pane. */
  readonly forgetEvent: (eventId: string) => void;
  readonly close: () => void;
}

export interface PaneSessionParts {
  /** The viewer itself. */
  readonly paneA: Pane;
  readonly client: StormClient;
  readonly effects: Pick<ViewerEffects, "openSocket" | "random" | "onNextFrame" | "isPublic" | "isVisible">;
  /** Starts what else a pane needs; returns the function that ends it. */
  readonly startPane: (store: ViewerStore) => () => void;
}

/** The part of pane A that a comparison may change, and that its end restores. */
const restoredKeys = [
  ...(["selectedEventId", "knownAt", "playhead", "flippedFrom", "loop"] as const),
  ...(["isComparing", "chosenPair", "isSoFarOn", "layerPreferences"] as const),
];
type SingleView = Pick<ViewerState, (typeof restoredKeys)[number]>;

export function startPanes({ paneA, client, effects, startPane }: PaneSessionParts): PaneSession {
  const panesStore = createPanesStore(paneA);
  const companions = toCompanions(panesStore);
  const closers = new Map<Pane, () => void>();
  let single: SingleView | undefined;

  function openPane(letter: PaneLetter): Pane {
    const store = createPaneStore(paneA.store.getState());
    const reading = startEventReading({ store, client, effects }, () => undefined);
    const stops = [
      reading.close,
      shareScreen(paneA.store, store),
      startPane(store),
      startPlayback(store, effects, companions),
      store.subscribe(({ cache }, previous) => {
        if (cache !== previous.cache) noteCaches();
      }),
    ];
    const pane: Pane = { letter, store, followPublished: reading.followPublished, retry: reading.retry };
    closers.set(pane, () => {
      for (const stop of stops) stop();
    });
    return pane;
  }

  function noteCaches(): void {
    const others = selectVisiblePanes(panesStore.getState()).filter((pane) => pane !== paneA);
    paneA.store.setState({ otherCaches: countCaches(others) });
  }

  function setCount(count: PaneCount): void {
    const before = panesStore.getState();
    if (count === before.count) return;
    if (before.count === 1) single = keepSingle(paneA.store.getState());
    const letters = paneLetters.slice(0, count);
    const panes = letters.map(
      (letter) => before.panes.find((pane) => pane.letter === letter) ?? openPane(letter),
    );
    for (const pane of before.panes) {
      if (panes.includes(pane)) continue;
      closers.get(pane)?.();
      closers.delete(pane);
    }
    const active = letters.includes(before.active) ? before.active : "A";
    if (active !== before.active) selectActivePane(before).store.getState().pause();
    panesStore.setState({ count, panes, active, pair: 0, locked: {} });
    if (count === 1) restoreSingle(paneA.store, single);
  }

  function activate(letter: PaneLetter): void {
    const before = panesStore.getState();
    const next = before.panes.find((pane) => pane.letter === letter);
    if (!next || letter === before.active) return;
    const lead = selectActivePane(before).store.getState();
    const isPlaying = lead.playhead.mode === "held" && lead.playhead.playing;
    lead.pause();
    panesStore.setState({ active: letter, pair: paneLetters.indexOf(letter) < 2 ? 0 : 1 });
    if (isPlaying) next.store.getState().play();
  }

  const stops = [
    startPlayback(paneA.store, effects, companions),
    followLock(panesStore),
    watchOnsets(panesStore, sharedFrames),
    panesStore.subscribe((state) => {
      shareMemory(selectVisiblePanes(state), state.panes);
      noteCaches();
    }),
  ];

  return {
    store: panesStore,
    setCount,
    activate,
    showPair: (pair) => {
      const { panes } = panesStore.getState();
      const first = panes[2 * pair];
      if (first) activate(first.letter);
    },
    setNarrow: (isNarrow) => {
      if (panesStore.getState().isNarrow !== isNarrow) panesStore.setState({ isNarrow });
    },
    forgetEvent: (eventId) => {
      if (single?.selectedEventId === eventId) single = undefined;
      for (const { store } of panesStore.getState().panes) store.getState().forgetEvent(eventId);
    },
    close: () => {
      setCount(1);
      for (const stop of stops) stop();
    },
  };
}

/** A new pane begins as a copy of pane A. */
function createPaneStore(main: ViewerState): ViewerStore {
  const { selectedEventId, history, knownAt, publishedAt, layerPreferences } = main;
  return createViewerStore({
    ...toSharedState(main),
    ...{ selectedEventId, history, knownAt, publishedAt, layerPreferences },
    playhead: toResting(main.playhead),
  });
}

function keepSingle(state: ViewerState): SingleView {
  const { selectedEventId, knownAt, playhead, flippedFrom, loop } = state;
  const { isComparing, chosenPair, isSoFarOn, layerPreferences } = state;
  return {
    ...{ selectedEventId, knownAt, playhead: toResting(playhead), flippedFrom, loop },
    ...{ isComparing, chosenPair, isSoFarOn, layerPreferences },
  };
}

/** Without a single view, as after its event was removed, pane A stays as it is. */
function restoreSingle(store: ViewerStore, single: SingleView | undefined): void {
  store.setState({ lockedSoon: undefined, otherCaches: undefined });
  if (!single) return;
  const { selectedEventId, ...kept } = single;
  if (selectedEventId !== undefined) store.getState().chooseEvent(selectedEventId);
  store.setState(({ history }) => ({
    ...kept,
    history: { ...history, revisions: toKnown(history.all, kept.knownAt) },
  }));
}

function toResting(playhead: Playhead): Playhead {
  return playhead.mode === "held" ? { ...playhead, playing: false } : playhead;
}

/** Gives each pane on screen an equal share of the memory for frames. */
function shareMemory(visible: readonly Pane[], all: readonly Pane[]): void {
  const frameShare = 1 / visible.length;
  for (const { store } of all) if (store.getState().frameShare !== frameShare) store.setState({ frameShare });
}

/** Adds up the frames of panes; undefined if none has any. */
function countCaches(panes: readonly Pane[]): CacheUse | undefined {
  return panes
    .flatMap(({ store }) => store.getState().cache ?? [])
    .reduce<CacheUse | undefined>(
      (sum, cache) => ({
        usedBytes: (sum?.usedBytes ?? 0) + cache.usedBytes,
        budgetBytes: (sum?.budgetBytes ?? 0) + cache.budgetBytes,
        frames: (sum?.frames ?? 0) + cache.frames,
      }),
      undefined,
    );
}
