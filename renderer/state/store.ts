// The viewer's state: one slice per question. It holds facts, ids and numbers, never pixels. selectors.ts derives
// from it; session.ts and action-session.ts read and write the outside world.
import { createStore, type StoreApi } from "zustand/vanilla";
import { createBriefingsSlice, type BriefingsSlice } from "./slices/briefings-slice.ts";
import { createChangeSlice, type ChangeSlice } from "./slices/change-slice.ts";
import { createConnectionSlice, type ConnectionSlice } from "./slices/connection-slice.ts";
import { createDataSlice, type DataSlice } from "./slices/data-slice.ts";
import { createDesktopSlice, type DesktopSlice } from "./slices/desktop-slice.ts";
import { createExportSlice, type ExportSlice } from "./slices/export-slice.ts";
import { createEventsSlice, type EventsSlice } from "./slices/events-slice.ts";
import { createGroundSlice, type GroundSlice } from "./slices/ground-slice.ts";
import { createHistorySlice, type HistorySlice } from "./slices/history-slice.ts";
import { createKnownAtSlice, type KnownAtSlice } from "./slices/known-at-slice.ts";
import { createLayersSlice, type LayersSlice } from "./slices/layers-slice.ts";
import { createLiveSlice, type LiveSlice } from "./slices/live-slice.ts";
import { createOverlaysSlice, type OverlaysSlice } from "./slices/overlays-slice.ts";
import { createPacksSlice, type PacksSlice } from "./slices/packs-slice.ts";
import { createLoopsSlice, type LoopsSlice } from "./slices/loops-slice.ts";
import { createPaneSlice, type PaneSlice } from "./slices/pane-slice.ts";
import { createPictureSlice, type PictureSlice } from "./slices/picture-slice.ts";
import { createPlacesSlice, type PlacesSlice } from "./slices/places-slice.ts";
import { createPlayheadSlice, type PlayheadSlice } from "./slices/playhead-slice.ts";
import { createReportsSlice, type ReportsSlice } from "./slices/reports-slice.ts";
import { createScreenSlice, type ScreenSlice } from "./slices/screen-slice.ts";
import { createSettingsSlice, type SettingsSlice } from "./settings/settings-slice.ts";
import { createWatchSlice, type WatchSlice } from "./watch/watch-slice.ts";
import { createStorySlice, type StorySlice } from "./slices/story-slice.ts";
import { createSoFarSlice, type SoFarSlice } from "./slices/so-far-slice.ts";
import { createToolsSlice, type ToolsSlice } from "./tools/tools-slice.ts";
import { createTasksSlice, type TasksSlice } from "./slices/tasks-slice.ts";
import { createViewSlice, type ViewSlice } from "./slices/view-slice.ts";

export type ViewerState = EventsSlice &
  HistorySlice &
  KnownAtSlice &
  PlayheadSlice &
  ChangeSlice &
  LayersSlice &
  SoFarSlice &
  GroundSlice &
  PictureSlice &
  PaneSlice &
  ConnectionSlice &
  PlacesSlice &
  StorySlice &
  ReportsSlice &
  TasksSlice &
  DesktopSlice &
  LiveSlice &
  OverlaysSlice &
  PacksSlice &
  LoopsSlice &
  DataSlice &
  BriefingsSlice &
  ExportSlice &
  ToolsSlice &
  ViewSlice &
  ScreenSlice &
  SettingsSlice &
  WatchSlice;

export type ViewerStore = StoreApi<ViewerState>;

export function createViewerStore(initial: Partial<ViewerState> = {}): ViewerStore {
  return createStore<ViewerState>()((...args) => ({
    ...createEventsSlice(...args),
    ...createHistorySlice(...args),
    ...createKnownAtSlice(...args),
    ...createPlayheadSlice(...args),
    ...createChangeSlice(...args),
    ...createLayersSlice(...args),
    ...createSoFarSlice(...args),
    ...createGroundSlice(...args),
    ...createPictureSlice(...args),
    ...createPaneSlice(...args),
    ...createConnectionSlice(...args),
    ...createPlacesSlice(...args),
    ...createStorySlice(...args),
    ...createReportsSlice(...args),
    ...createTasksSlice(...args),
    ...createDesktopSlice(...args),
    ...createLiveSlice(...args),
    ...createOverlaysSlice(...args),
    ...createPacksSlice(...args),
    ...createLoopsSlice(...args),
    ...createDataSlice(...args),
    ...createBriefingsSlice(...args),
    ...createExportSlice(...args),
    ...createToolsSlice(...args),
    ...createViewSlice(...args),
    ...createScreenSlice(...args),
    ...createSettingsSlice(...args),
    ...createWatchSlice(...args),
    ...initial,
  }));
}
