// The show over its life: opens the wanted step once its frames are read, keeps the picture frozen, and reads the next
// step's frames meanwhile. The end restores the view from before.
import type { BriefingStep } from "../../../shared/views/briefing-steps.ts";
import type { ViewDifference } from "../../../shared/views/view-differences.ts";
import { longestStepWaitMs } from "../../platform/viewer-limits.ts";
import type { PanesStore } from "../panes/pane-store.ts";
import type { ViewerStore } from "../store.ts";
import type { BriefingStore } from "./briefing-store.ts";
import { freezeAt, jumpToNewest, keepFrozen } from "./freezing.ts";
import { arrive, command, startShow, want, type Frozen, type Show, type ShowCommand } from "./show.ts";
import { findStepFrames, isStepReady } from "./step-frames.ts";

export interface Projector {
  /** A key of the person, who is asked before what cannot be taken back. */
  readonly command: (given: ShowCommand) => void;
  readonly goTo: (step: number) => void;
  /** Takes back a question on the projector. */
  readonly takeBack: () => void;
  readonly freeze: () => void;
  readonly unfreeze: () => void;
  readonly leave: () => void;
}

export interface ProjectorParts {
  readonly briefing: BriefingStore;
  /** Pane A. */
  readonly store: ViewerStore;
  readonly panes: PanesStore;
  /** Opens a view; resolves with what differs from it. */
  readonly open: (view: BriefingStep["view"], signal: AbortSignal) => Promise<readonly ViewDifference[]>;
  readonly steps: readonly BriefingStep[];
  readonly nowMs: number;
  /** Calls back once; returns a function that cancels it. */
  readonly schedule: (delayMs: number, callback: () => void) => () => void;
  /** Called when the show was left. */
  readonly onEnd: () => void;
}

/** Starts a show, frozen at what is known now, or at the sequence as of which the person looks. */
export function startProjector(parts: ProjectorParts): Projector {
  const { briefing, store, panes, steps } = parts;
  briefing.setState({ show: startShow(steps, parts.nowMs, freezeStart(panes, steps)) });
  /** Index of the step on screen; undefined while the screen is none's. */
  let opened: number | undefined;
  let opening: { readonly step: number; readonly abort: AbortController } | undefined;
  let isFirst = true;
  let waitsFor: number | undefined;
  let lateStep: number | undefined;
  let stopWaiting: (() => void) | undefined;
  let isEnded = false;

  const findShow = (): Show | undefined => (isEnded ? undefined : briefing.getState().show);
  const change = (edit: (show: Show) => Show): void => {
    const show = findShow();
    if (show) briefing.setState({ show: edit(show) });
  };

  /** A step whose frames find no room in the memory is opened without them after a while. */
  function awaitFrames(step: number): void {
    if (waitsFor === step) return;
    stopWaiting?.();
    waitsFor = step;
    stopWaiting = parts.schedule(longestStepWaitMs, () => {
      lateStep = step;
      void openWanted();
    });
  }

  /** Opens the wanted step as soon as it can be shown whole; called again whenever something is read. */
  async function openWanted(): Promise<void> {
    const show = findShow();
    if (!show || (!opening && show.wanted === opened)) return;
    const { wanted } = show;
    if (opening) {
      // It goes on with the wanted one when it has ended.
      if (opening.step !== wanted) opening.abort.abort();
      return;
    }
    const step = steps[wanted]!;
    store.getState().setWarmFrames(findStepFrames(store.getState(), step));
    if (!isFirst && lateStep !== wanted && !isStepReady(store.getState(), step)) {
      awaitFrames(wanted);
      return;
    }
    stopWaiting?.();
    waitsFor = undefined;
    lateStep = undefined;
    // The picture is read: it and its title are on the projector in the next repaint.
    const abort = new AbortController();
    opening = { step: wanted, abort };
    opened = undefined;
    change((now) => arrive(now, wanted));
    const differences = await parts.open(step.view, abort.signal);
    opening = undefined;
    if (!findShow()) return;
    if (!abort.signal.aborted) {
      isFirst = false;
      opened = wanted;
      readChosenPlace(store);
      change((now) => ({ ...now, differences }));
    }
    const next = steps[wanted + 1];
    store.getState().setWarmFrames(next ? findStepFrames(store.getState(), next) : []);
    void openWanted();
  }

  const stops = [
    keepFrozen(
      panes,
      () => findShow()?.frozen,
      (frozen) => {
        change((show) => ({ ...show, frozen }));
      },
    ),
    briefing.subscribe(() => void openWanted()),
    store.subscribe(({ picture, history }, previous) => {
      if (picture.frames !== previous.picture.frames || history.all !== previous.history.all)
        void openWanted();
    }),
  ];
  void openWanted();

  const projector: Projector = {
    command: (given) => {
      const show = findShow();
      if (!show) return;
      const { show: next, effect } = command(show, given);
      briefing.setState({ show: next });
      if (effect !== undefined) projector[effect]();
    },
    goTo: (step) => {
      change((show) => want({ ...show, asking: undefined }, step));
    },
    takeBack: () => {
      change((show) => (show.asking === undefined ? show : { ...show, asking: undefined }));
    },
    freeze: () => {
      change((show) => ({ ...show, frozen: show.frozen ?? freezeAt(statesOf(panes), undefined) }));
    },
    unfreeze: () => {
      change((show) => ({ ...show, frozen: undefined, asking: undefined, differences: [] }));
      jumpToNewest(panes);
    },
    leave: () => {
      if (isEnded) return;
      isEnded = true;
      stopWaiting?.();
      opening?.abort.abort();
      for (const stop of stops) stop();
      store.getState().setWarmFrames([]);
      briefing.setState({ show: undefined });
      parts.onEnd();
    },
  };
  return projector;
}

function statesOf(panes: PanesStore): ReturnType<ViewerStore["getState"]>[] {
  return panes.getState().panes.map(({ store }) => store.getState());
}

/** Freezes each event at the sequence as of which the person looks, but never before a revision of a step. */
function freezeStart(panes: PanesStore, steps: readonly BriefingStep[]): NonNullable<Frozen> {
  const states = statesOf(panes);
  const looked = states.flatMap(({ selectedEventId, knownAt }) =>
    selectedEventId === undefined || knownAt === undefined ? [] : [[selectedEventId, knownAt] as const],
  );
  const atLeast = Map.groupBy(
    steps.flatMap(({ view }) => view.panes),
    ({ event }) => event.id,
  );
  const frozen = looked.map(([eventId, knownAt]) => {
    const sequences = atLeast.get(eventId)?.map(({ revision }) => revision?.sequence ?? 0) ?? [];
    return [eventId, Math.max(knownAt, ...sequences)] as const;
  });
  return freezeAt(states, Object.fromEntries(frozen));
}

/** Reads the step's chosen place on the projector; without one nothing is read. */
function readChosenPlace(store: ViewerStore): void {
  const { pins, chosenPin, pinReading, unpin } = store.getState();
  const place = pins[chosenPin];
  if (place) pinReading(place.coordinate);
  else unpin();
}
