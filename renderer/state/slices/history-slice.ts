// Which revisions does the chosen event have, and when was each published?
import type { StateCreator } from "zustand";
import type { MrmsHistory } from "../../../shared/contract/index.ts";
import type { ApiErrorCode } from "../../api/service-errors.ts";
import type { ReadPhase } from "./events-slice.ts";
import { toRevisions, type Revision } from "../revisions.ts";
import type { ViewerState } from "../store.ts";

export interface HistoryState {
  readonly phase: ReadPhase;
  readonly problem: ApiErrorCode | undefined;
  /** Ascending publication sequence; the newest part of what the event has. */
  readonly revisions: readonly Revision[];
  readonly attribution: string;
  readonly disclosure: string;
  /** The highest sequence that the event has, held here or not. */
  readonly latestSequence: number | undefined;
}

/** The instant, or that it is being read, or that it could not be. */
export type PublishedAt = { readonly at: string } | "reading" | "unknown";

export interface HistorySlice {
  readonly history: HistoryState;
  /** By revision id; an entry that has an instant never changes. */
  readonly publishedAt: Readonly<Record<string, PublishedAt>>;
  readonly receiveHistory: (eventId: string, history: MrmsHistory) => void;
  readonly failHistory: (eventId: string, problem: ApiErrorCode) => void;
  readonly learnPublished: (revisionId: string, published: PublishedAt) => void;
}

export const emptyHistory: HistoryState = {
  phase: "loading",
  problem: undefined,
  revisions: [],
  attribution: "",
  disclosure: "",
  latestSequence: undefined,
};

export const createHistorySlice: StateCreator<ViewerState, [], [], HistorySlice> = (set, get) => ({
  history: emptyHistory,
  publishedAt: {},

  receiveHistory: (eventId, history) => {
    if (get().selectedEventId !== eventId) return;
    const revisions = toRevisions(history);
    set({
      history: {
        phase: "ready",
        problem: undefined,
        revisions,
        attribution: history.attribution,
        disclosure: history.disclosure,
        latestSequence: history.latestSequence ?? revisions.at(-1)?.sequence,
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
