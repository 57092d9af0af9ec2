// The viewer's state: one slice per question, put together. It holds facts, ids and numbers, never pixels; what follows
// from them is in selectors.ts, and what reads and writes the outside world is in session.ts.
import { createStore, type StoreApi } from "zustand/vanilla";
import { createBriefingsSlice, type BriefingsSlice } from "./briefings.ts";
import { createConnectionSlice, type ConnectionSlice } from "./connection.ts";
import { createEventsSlice, type EventsSlice } from "./events.ts";
import { createFeedsSlice, type FeedsSlice } from "./feeds.ts";
import { createHistorySlice, type HistorySlice } from "./history.ts";
import { createLayersSlice, type LayersSlice } from "./layers.ts";
import { createPacksSlice, type PacksSlice } from "./packs.ts";
import { createPictureSlice, type PictureSlice } from "./picture.ts";
import { createPlacesSlice, type PlacesSlice } from "./places.ts";
import { createPlayheadSlice, type PlayheadSlice } from "./playhead.ts";
import { createScreenSlice, type ScreenSlice } from "./screen.ts";
import { createTasksSlice, type TasksSlice } from "./tasks.ts";

export type ViewerState = EventsSlice &
  HistorySlice &
  PlayheadSlice &
  LayersSlice &
  PictureSlice &
  ConnectionSlice &
  PlacesSlice &
  FeedsSlice &
  TasksSlice &
  PacksSlice &
  BriefingsSlice &
  ScreenSlice;

export type ViewerStore = StoreApi<ViewerState>;

export function createViewerStore(initial: Partial<ViewerState> = {}): ViewerStore {
  return createStore<ViewerState>()((...args) => ({
    ...createEventsSlice(...args),
    ...createHistorySlice(...args),
    ...createPlayheadSlice(...args),
    ...createLayersSlice(...args),
    ...createPictureSlice(...args),
    ...createConnectionSlice(...args),
    ...createPlacesSlice(...args),
    ...createFeedsSlice(...args),
    ...createTasksSlice(...args),
    ...createPacksSlice(...args),
    ...createBriefingsSlice(...args),
    ...createScreenSlice(...args),
    ...initial,
  }));
}
