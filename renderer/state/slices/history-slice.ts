// Which event is chosen, which revisions does it have, and when was each published?
import type { StateCreator } from "zustand";
import { knownAt as toKnown } from "../../../shared/revisions/known-at.ts";
import type { ApiErrorCode } from "../../api/service-errors.ts";
import { untouchedPlayhead } from "../timeline/playhead.ts";
import { mergeRevisions } from "../timeline/merge-revisions.ts";
import { emptyHistory, toRevisions, type HistoryState, type RevisionList } from "../timeline/revisions.ts";
import { nothingCompared, type ChangeSlice } from "./change-slice.ts";
import type { KnownAtSlice } from "./known-at-slice.ts";
import type { PlayheadSlice } from "./playhead-slice.ts";
import type { ScreenSlice } from "./screen-slice.ts";
import type { SoFarSlice } from "./so-far-slice.ts";

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
  /** Takes the newest revisions. Held ones before sequence `from` stay. */
  readonly receiveHistory: (eventId: string, list: RevisionList, from?: number) => void;
  /** Takes the revisions before a sequence: as many as a page has, or none if there are no more. */
  readonly receiveOlder: (eventId: string, page: RevisionList, before: number) => void;
  readonly failHistory: (eventId: string, problem: ApiErrorCode) => void;
  readonly learnPublished: (revisionId: string, published: PublishedAt) => void;
}

/** The part of the state that belongs to the chosen event, before anything of it is read. */
const nothingRead = {
  history: emptyHistory,
  publishedAt: {},
  knownAt: undefined,
  playhead: untouchedPlayhead,
  flippedFrom: undefined,
  buffering: false,
  soFarSeen: undefined,
  ...nothingCompared,
} as const;

export const createHistorySlice: StateCreator<
  HistorySlice & KnownAtSlice & PlayheadSlice & ChangeSlice & SoFarSlice & ScreenSlice,
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

  receiveHistory: (eventId, list, from = 0) => {
    if (get().selectedEventId !== eventId) return;
    set(({ history, knownAt, publishedAt, soFarSeen }) => {
      const all = mergeRevisions(history.all, toRevisions(list), { from, before: Infinity });
      const latestSequence = list.latestSequence ?? all.at(-1)?.sequence;
      return {
        soFarSeen: soFarSeen ?? latestSequence,
        publishedAt: withTimes(publishedAt, list),
        history: {
          phase: "ready",
          problem: undefined,
          all,
          revisions: all === history.all ? history.revisions : toKnown(all, knownAt),
          attribution: list.attribution,
          disclosure: list.disclosure,
          latestSequence,
          isWhole: reachesStart(history, all),
        },
      };
    });
  },

  receiveOlder: (eventId, page, before) => {
    if (get().selectedEventId !== eventId) return;
    set(({ history, knownAt, publishedAt }) => {
      const from = page.frames[0]?.sequence ?? 0;
      const all = mergeRevisions(history.all, toRevisions(page), { from, before });
      const isWhole = page.frames.length === 0 || reachesStart(history, all);
      if (all === history.all && isWhole === history.isWhole) return {};
      return {
        publishedAt: withTimes(publishedAt, page),
        history: {
          ...history,
          all,
          revisions: all === history.all ? history.revisions : toKnown(all, knownAt),
          isWhole,
        },
      };
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

/** Adds the times of publication that a list says. */
function withTimes(
  known: HistorySlice["publishedAt"],
  { frames }: Pick<RevisionList, "frames">,
): HistorySlice["publishedAt"] {
  const news = frames.flatMap(({ revisionId, publishedAt }) =>
    revisionId === undefined || publishedAt === undefined || typeof known[revisionId] === "object"
      ? []
      : [[revisionId, { at: publishedAt }] as const],
  );
  return news.length === 0 ? known : { ...known, ...Object.fromEntries(news) };
}

/** Returns true if the list begins with the event's first revision, or where the whole list before it began. */
function reachesStart({ isWhole, all }: HistoryState, next: HistoryState["all"]): boolean {
  return next[0]?.sequence === 1 || (isWhole && next[0] === all[0]);
}
