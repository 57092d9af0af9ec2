// The presenter's window: the projector's state as it was posted last, and the questions that the window asks before
// what cannot be taken back.
import { createStore, type StoreApi } from "zustand/vanilla";
import type { OpenPageChannel } from "../../platform/page-channel.ts";
import {
  ProjectorMessage,
  toPresenterChannel,
  type PresenterCommand,
  type PresenterState,
} from "./presenter-messages.ts";
import { watchPictures, type PictureWatchParts } from "./presenter-pictures.ts";
import type { ShowCommand } from "./show.ts";

export interface PresenterView {
  /** Undefined until the projector has answered. */
  readonly projector: PresenterState | undefined;
  /** The map on the projector. */
  readonly picture: Blob | undefined;
  /** `ended`: the briefing was left. `lost`: the projector's page was closed, loaded again, or hangs. */
  readonly link: "asking" | "here" | "ended" | "lost";
  readonly asking: "unfreeze" | "leave" | undefined;
}

export interface PresenterSession {
  readonly store: StoreApi<PresenterView>;
  /** A key or a button; the one that asked answers its question, and every other takes it back. */
  readonly press: (given: ShowCommand) => void;
  readonly goTo: (step: number) => void;
  /** Takes a question back. */
  readonly stay: () => void;
}

export interface PresenterParts extends Pick<PictureWatchParts, "showId" | "openChannel" | "repeat"> {
  readonly openChannel: OpenPageChannel;
}

/** Lasts as long as its page: the next show of the same viewer comes to the same window. */
export function startPresenter(parts: PresenterParts): PresenterSession {
  const store = createStore<PresenterView>()(() => ({
    ...{ projector: undefined, picture: undefined, link: "asking", asking: undefined },
  }));
  const channel = parts.openChannel(toPresenterChannel(parts.showId), (message) => {
    const { data } = ProjectorMessage.safeParse(message);
    if (data?.kind === "state") store.setState({ projector: data, link: "here" });
    else if (data) store.setState({ link: "ended", asking: undefined });
  });
  const post = (given: PresenterCommand): void => {
    channel.post(given);
  };
  watchPictures({
    ...parts,
    onPicture: (picture) => {
      store.setState({ picture });
    },
    onStanding: (isHere) => {
      if (isHere && store.getState().link !== "here") post({ command: "hello" });
      if (!isHere && store.getState().link === "here") store.setState({ link: "lost", asking: undefined });
    },
  });
  post({ command: "hello" });

  return {
    store,
    press: (given) => {
      const { asking, projector, link } = store.getState();
      if (!projector || link !== "here") return;
      if (asking !== undefined) {
        store.setState({ asking: undefined });
        if (asking === (given === "freeze" ? "unfreeze" : given)) post({ command: asking });
      } else if (given === "leave") {
        store.setState({ asking: "leave" });
      } else if (given === "freeze" && projector.frozen) {
        store.setState({ asking: "unfreeze" });
      } else {
        post({ command: given });
      }
    },
    goTo: (step) => {
      store.setState({ asking: undefined });
      post({ command: "goTo", step });
    },
    stay: () => {
      store.setState({ asking: undefined });
    },
  };
}
