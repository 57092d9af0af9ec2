// Briefing mode over the life of the page: records steps, opens them, and runs the show.
import type { BriefingStep } from "../../../shared/views/briefing-steps.ts";
import type { OpenPageChannel } from "../../platform/page-channel.ts";
import { schedule } from "../../platform/page-effects.ts";
import type { PaneSession } from "../panes/pane-session.ts";
import type { ViewerStore } from "../store.ts";
import { captureView } from "../views/capture-view.ts";
import { leave, stopOpening, type Left } from "../views/open-view-text.ts";
import { openView } from "../views/open-view.ts";
import type { ViewScreen } from "../views/view-parts.ts";
import { createBriefingStore, type BriefingStore } from "./briefing-store.ts";
import { linkPresenter } from "./presenter-link.ts";
import type { PresenterState } from "./presenter-messages.ts";
import { startProjector, type Projector } from "./projector.ts";
import { addStep } from "./steps-edit.ts";
import type { StepsKeeper } from "./steps-keeper.ts";
import { startSteps, type StepsSession } from "./steps-session.ts";

export interface BriefingSession {
  readonly store: BriefingStore;
  readonly steps: StepsSession;
  readonly setOpen: (isOpen: boolean) => void;
  /** Records the view on screen. */
  readonly addStep: (title: string) => void;
  /** Opens a step outside the show. */
  readonly openStep: (step: BriefingStep) => Promise<void>;
  /** Starts the show; without steps the view on screen is the only one, under this title. */
  readonly start: (onlyTitle: string) => void;
  readonly findProjector: () => Projector | undefined;
  /** Part of the address of the presenter's window. */
  readonly showId: string;
}

export interface BriefingParts {
  /** Pane A. */
  readonly store: ViewerStore;
  readonly panes: PaneSession;
  readonly keeper: StepsKeeper;
  readonly now: () => number;
  readonly createId: () => string;
  readonly openChannel: OpenPageChannel;
  readonly findScreen: () => PresenterState["screen"];
}

export function startBriefing(parts: BriefingParts): BriefingSession {
  const { store, panes } = parts;
  const screen: ViewScreen = { store, panes };
  const briefing = createBriefingStore();
  const steps = startSteps(briefing, parts.keeper);
  const showId = parts.createId();
  let projector: Projector | undefined;

  const follow = (): void => {
    const { isOpen, show } = briefing.getState();
    if (isOpen && !show) steps.follow(store.getState().selectedEventId);
  };
  store.subscribe((state, previous) => {
    if (state.selectedEventId !== previous.selectedEventId) follow();
  });

  const record = (title: string): BriefingStep | undefined => {
    const view = captureView(screen);
    return view && { id: parts.createId(), title, notes: "", view };
  };

  async function returnTo({ view, settings }: Left): Promise<void> {
    if (view) await openView(screen, view);
    store.setState(settings);
    briefing.setState({ isScreenTaken: false });
  }

  function start(onlyTitle: string): void {
    if (briefing.getState().isScreenTaken) return;
    stopOpening(screen);
    const { isVisiting, chosenPlace } = store.getState();
    const before = leave(screen);
    if (!before.view) return;
    briefing.setState({ isScreenTaken: true });
    // A step's settings are not the person's own, and a place that was searched for is no part of a step.
    store.setState({ isVisiting: true, chosenPlace: undefined });
    const recorded = briefing.getState().steps;
    const only = recorded.length > 0 ? [] : [record(onlyTitle)!];
    projector = startProjector({
      ...{ briefing, store, schedule },
      panes: panes.store,
      open: (view, signal) => openView(screen, view, signal),
      steps: [...recorded, ...only],
      nowMs: parts.now(),
      onEnd: () => {
        unlink();
        projector = undefined;
        const settings = { ...before.settings, isVisiting, chosenPlace };
        void returnTo({ ...before, settings }).then(follow);
      },
    });
    const unlink = linkPresenter({
      ...{ showId, briefing, store, projector },
      openChannel: parts.openChannel,
      findScreen: parts.findScreen,
    });
  }

  return {
    store: briefing,
    steps,
    showId,
    setOpen: (isOpen) => {
      briefing.setState({ isOpen });
      follow();
    },
    addStep: (title) => {
      const step = record(title);
      if (!step) return;
      steps.change((list) => addStep(list, step));
      briefing.setState({ chosenId: step.id });
    },
    openStep: async ({ id, view }) => {
      stopOpening(screen);
      briefing.setState({ chosenId: id, differences: [] });
      const differences = await openView(screen, view);
      if (briefing.getState().chosenId === id) briefing.setState({ differences });
    },
    start,
    findProjector: () => projector,
  };
}
