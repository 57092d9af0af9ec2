// Which storm events are there, and which one is chosen?
import type { StateCreator } from "zustand";
import type { StormEvent } from "../../../shared/contract/index.ts";
import type { ApiErrorCode } from "../../api/service-errors.ts";
import { emptyHistory } from "./history-slice.ts";
import { untouchedPlayhead } from "./playhead-slice.ts";
import type { ViewerState } from "../store.ts";

/** `loading` until the first answer; a failed reading keeps what was read before. */
export type ReadPhase = "loading" | "ready" | "failed";

export interface EventsSlice {
  readonly events: {
    readonly phase: ReadPhase;
    readonly list: readonly StormEvent[];
    readonly problem: ApiErrorCode | undefined;
  };
  readonly selectedEventId: string | undefined;
  readonly receiveEvents: (list: readonly StormEvent[]) => void;
  readonly failEvents: (problem: ApiErrorCode) => void;
  readonly chooseEvent: (eventId: string) => void;
}

export const createEventsSlice: StateCreator<ViewerState, [], [], EventsSlice> = (set, get) => ({
  events: { phase: "loading", list: [], problem: undefined },
  selectedEventId: undefined,

  receiveEvents: (list) => {
    set({ events: { phase: "ready", list, problem: undefined } });
    if (get().selectedEventId === undefined) {
      const first = findFirstEvent(list, get().savedEventId);
      if (first) get().chooseEvent(first.id);
    }
  },

  failEvents: (problem) => {
    set(({ events }) => ({ events: { ...events, phase: "failed", problem } }));
  },

  chooseEvent: (eventId) => {
    if (get().selectedEventId === eventId) return;
    set(({ loop }) => ({
      selectedEventId: eventId,
      history: { ...emptyHistory, phase: "loading" },
      publishedAt: {},
      playhead: untouchedPlayhead,
      // Ends chosen by sequence mean nothing in another event.
      loop: typeof loop === "object" ? "all" : loop,
      savedEventId: eventId,
    }));
  },
});

/** The event of the last visit where it is still listed, else the first with data, else the first. */
export function findFirstEvent(
  list: readonly StormEvent[],
  savedEventId: string | undefined,
): StormEvent | undefined {
  return (
    list.find((event) => event.id === savedEventId) ??
    list.find((event) => typeof event.currentRevisionId === "string") ??
    list[0]
  );
}
