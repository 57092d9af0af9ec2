// The projector's end of the channel to the presenter's window: posts the state after each change, obeys its commands.
import type { FrameRef } from "../../frames/frame-ref.ts";
import type { OpenPageChannel } from "../../platform/page-channel.ts";
import { findViewedSwath } from "../so-far/so-far.ts";
import { selectSelectedEvent } from "../selectors.ts";
import type { ViewerState, ViewerStore } from "../store.ts";
import type { BriefingStore } from "./briefing-store.ts";
import { findPublication, findWaiting } from "./freezing.ts";
import {
  PresenterCommand,
  toPresenterChannel,
  type PresenterState,
  type ProjectorMessage,
} from "./presenter-messages.ts";
import type { Projector } from "./projector.ts";
import type { Show } from "./show.ts";

export interface PresenterLinkParts {
  readonly showId: string;
  readonly briefing: BriefingStore;
  readonly store: ViewerStore;
  readonly projector: Projector;
  readonly openChannel: OpenPageChannel;
  readonly findScreen: () => PresenterState["screen"];
}

/** Serves presenter's windows until the returned function is called, which tells them that the show has ended. */
export function linkPresenter(parts: PresenterLinkParts): () => void {
  const { briefing, store, projector } = parts;
  const channel = parts.openChannel(toPresenterChannel(parts.showId), (message) => {
    const { data } = PresenterCommand.safeParse(message);
    if (data?.command === "hello") post();
    else if (data) obey(projector, data);
  });
  const send = (message: ProjectorMessage): void => {
    channel.post(message);
  };
  const post = (): void => {
    const { show } = briefing.getState();
    if (show) send(toPresenterState(show, store.getState(), parts.findScreen()));
  };
  const stops = [
    briefing.subscribe(post),
    store.subscribe((state, previous) => {
      const isNews =
        state.history !== previous.history ||
        state.publishedAt !== previous.publishedAt ||
        state.picture.drawn !== previous.picture.drawn;
      if (isNews) post();
    }),
  ];
  post();
  return () => {
    for (const stop of stops) stop();
    send({ kind: "end" });
    channel.close();
  };
}

/** The presenter's window has asked its person already. */
function obey(projector: Projector, given: PresenterCommand): void {
  switch (given.command) {
    case "goTo":
      projector.goTo(given.step);
      break;
    case "next":
    case "back":
    case "black":
      projector.takeBack();
      projector.command(given.command);
      break;
    case "freeze":
    case "unfreeze":
    case "leave":
      projector[given.command]();
      break;
    case "hello":
      break;
  }
}

export function toPresenterState(
  show: Show,
  state: ViewerState,
  screen: PresenterState["screen"],
): PresenterState {
  const { publishedAt } = state;
  const timeOf = (revisionId: string | undefined): string | null => {
    const known = revisionId === undefined ? undefined : publishedAt[revisionId];
    return typeof known === "object" ? known.at : null;
  };
  const frozen = show.frozen?.[state.selectedEventId ?? ""];
  const publication = findPublication(state);
  return {
    kind: "state",
    steps: [...show.steps],
    current: show.current,
    nextSwath: findNextSwath(show, state),
    reading: show.wanted === show.current ? null : show.wanted,
    frozen:
      frozen === undefined
        ? null
        : {
            sequence: frozen,
            publishedAt: timeOf(state.history.all.find(({ sequence }) => sequence === frozen)?.revisionId),
          },
    waiting: findWaiting(state, show.frozen).map(({ sequence, observedAt, revisionId, window }) => ({
      ...{ sequence, observedAt, publishedAt: timeOf(revisionId) },
      isOfShown: window === publication?.revision.window,
    })),
    black: show.black,
    picture: publication
      ? {
          eventLabel: selectSelectedEvent(state)?.label ?? "",
          sequence: publication.revision.sequence,
          observedAt: publication.revision.observedAt,
          publishedAt: timeOf(publication.revision.revisionId),
          change: publication.kind,
          supersedes: publication.supersedes?.sequence ?? null,
        }
      : null,
    differences: show.differences.map(({ sentence }) => sentence),
    startedAtMs: show.startedAtMs,
    screen,
  };
}

function findNextSwath({ steps, current }: Show, { history, selectedEventId }: ViewerState): FrameRef[] {
  const next = steps[current + 1]?.view;
  const pane = next?.panes[next.active];
  return pane && pane.event.id === selectedEventId ? findViewedSwath(history.all, pane) : [];
}
