// Which event is chosen, which revisions does it have, and when was each published?
import type { StateCreator } from "zustand";
import type { MrmsHistory } from "../../../shared/contract/index.ts";
import { knownAt as toKnown } from "../../../shared/revisions/known-at.ts";
import type { ApiErrorCode } from "../../api/service-errors.ts";
import { untouchedPlayhead } from "../playhead.ts";
import { emptyHistory, toRevisions, type HistoryState } from "../revisions.ts";
import type { KnownAtSlice } from "./known-at-slice.ts";
import type { PlayheadSlice } from "./playhead-slice.ts";
import type { ScreenSlice } from "./screen-slice.ts";

/** The time of publication, or the state of reading it. */
export type PublishedAt = { readonly at: string } | "reading" | "unknown";

export interface HistorySlice {
  readonly selectedEventId: string | undefined;
  readonly history: HistoryState;
  /** By revision id; an entry with a time never changes. */
  readonly publishedAt: Readonly<Record<string, PublishedAt>>;
  readonly chooseEvent: (eventId: string) => void;
  /** Chooses no event. */
  readonly leaveEvent: () => void;
  readonly receiveHistory: (eventId: string, history: MrmsHistory) => void;
  readonly failHistory: (eventId: string, problem: ApiErrorCode) => void;
  readonly learnPublished: (revisionId: string, published: PublishedAt) => void;
}

/** The part of the state that belongs to the chosen event, before anything of it is read. */
const nothingRead = {
  history: emptyHistory,
  publishedAt: {},
  knownAt: undefined,
  playhead: untouchedPlayhead,
} as const;

export const createHistorySlice: StateCreator<
  HistorySlice & KnownAtSlice & PlayheadSlice & ScreenSlice,
  [],
  [],
  HistorySlice
> = (set, get) => ({
  selectedEventId: undefined,
  history: emptyHistory,
  publishedAt: {},

  chooseEvent: (eventId) => {
    if (get().selectedEventId === eventId) return;
    set(({ loop }) => ({
      selectedEventId: eventId,
      ...nothingRead,
      // Loop ends chosen by sequence apply to one event only.
      loop: typeof loop === "object" ? "all" : loop,
      savedEventId: eventId,
    }));
  },

  leaveEvent: () => {
    set({ selectedEventId: undefined, savedEventId: undefined, ...nothingRead });
  },

  receiveHistory: (eventId, history) => {
    if (get().selectedEventId !== eventId) return;
    const all = toRevisions(history);
    set({
      history: {
        phase: "ready",
        problem: undefined,
        all,
        revisions: toKnown(all, get().knownAt),
        attribution: history.attribution,
        disclosure: history.disclosure,
        latestSequence: history.latestSequence ?? all.at(-1)?.sequence,
      },
    });
  },

  failHistory: (eventId, problem) => {
    if (get().selectedEventId !== eventId) return;
    set(({ history }) => ({ history: { ...history, phase: "failed", problem } }));
  },

  learnPublished: (revisionId, published) => {
    const known = get().publishedAt[revisionId];
    if (typeof known === "object") return;
    set(({ publishedAt }) => ({ publishedAt: { ...publishedAt, [revisionId]: published } }));
  },
});
