// Which storm events exist?
import type { StateCreator } from "zustand";
import type { StormEvent } from "../../../shared/contract/index.ts";
import type { ApiErrorCode } from "../../api/service-errors.ts";
import type { ReadPhase } from "../reading/read-phase.ts";
import type { HistorySlice } from "./history-slice.ts";
import type { ScreenSlice } from "./screen-slice.ts";

export interface EventsSlice {
  readonly events: {
    readonly phase: ReadPhase;
    readonly list: readonly StormEvent[];
    readonly problem: ApiErrorCode | undefined;
  };
  readonly receiveEvents: (list: readonly StormEvent[]) => void;
  readonly failEvents: (problem: ApiErrorCode) => void;
  /** Takes an event that was removed out of the list, and chooses another if it was chosen. */
  readonly forgetEvent: (eventId: string) => void;
}

export const createEventsSlice: StateCreator<
  EventsSlice & HistorySlice & ScreenSlice,
  [],
  [],
  EventsSlice
> = (set, get) => ({
  events: { phase: "loading", list: [], problem: undefined },

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

  forgetEvent: (eventId) => {
    const list = get().events.list.filter(({ id }) => id !== eventId);
    set(({ events }) => ({ events: { ...events, list } }));
    if (get().selectedEventId !== eventId) return;
    const next = findFirstEvent(list, undefined);
    if (next) get().chooseEvent(next.id);
    else get().leaveEvent();
  },
});

/** Returns the event of the last visit if it is still listed, else the first with data, else the first. */
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
