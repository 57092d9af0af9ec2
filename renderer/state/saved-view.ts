// The view saved between visits: the habits, the event, the layers, the screen, the camera. Checked against a
// schema when it is read; an older or damaged one is ignored.
import * as z from "zod";
import { Coordinate, ProductId } from "../../shared/contract/index.ts";
import { OwnTable } from "../../shared/products/color-tables/own-table.ts";
import { defaultPalette, paletteIds } from "../../shared/products/palettes.ts";
import { defaultGround, groundParts, mapThemes } from "../basemap/ground-parts.ts";
import type { StoredValue } from "../platform/stored-value.ts";
import { frameLimitsMib, mostPins } from "../platform/viewer-limits.ts";
import { pickSettings, Settings, settingNames } from "./settings/habits.ts";
import { speeds } from "./timeline/playback.ts";
import { loopChoices } from "./timeline/loop.ts";
import { playOrders } from "./timeline/play-order.ts";
import { storyReaches } from "./slices/story-slice.ts";
import { cursorNotations, lengthUnits } from "./tools/tools-slice.ts";
import type { ViewerState, ViewerStore } from "./store.ts";

export const LayerPreferences = z.partialRecord(
  ProductId,
  z.object({
    visible: z.boolean().optional(),
    opacity: z.number().min(0).max(1).optional(),
    showFrom: z.number().optional(),
  }),
);

export const SavedView = z.object({
  version: z.literal(1),
  eventId: z.string().optional(),
  layers: LayerPreferences,
  /** An earlier version had another default, which the new one replaces. */
  palette: z.enum(paletteIds).catch(defaultPalette),
  /** A table that can no longer be read is left out. */
  ownTables: z.partialRecord(ProductId, OwnTable).catch({}),
  hailUnits: z.enum(["in", "mm"]),
  ownKeys: Settings.shape.ownKeys.catch({}),
  clockZone: Settings.shape.clockZone.catch("utc"),
  clockHours: Settings.shape.clockHours.catch(24),
  textSize: Settings.shape.textSize.catch(100),
  startsWhereLeft: z.boolean().default(true),
  watchRules: Settings.shape.watchRules.catch([]),
  leftPanelOpen: z.boolean(),
  timelineFolded: z.boolean().optional(),
  timelineOrder: z.enum(playOrders).default("published"),
  orderBeforeStory: z.enum(playOrders).optional(),
  characterKeys: z.boolean(),
  frameLimitMib: z.literal(frameLimitsMib).optional(),
  speed: z.literal(speeds),
  loop: z.literal(loopChoices),
  playOrder: z.enum(playOrders).default("observed"),
  theme: z.enum(mapThemes).default("dark"),
  /** A part that a later version adds has its default. */
  ground: z.partialRecord(z.enum(groundParts), z.boolean()).default({}),
  pins: z
    .array(z.object({ label: z.string(), coordinate: Coordinate }))
    .max(mostPins)
    .default([]),
  chosenPin: z
    .int()
    .min(0)
    .max(mostPins - 1)
    .default(0),
  storyOpen: z.boolean().default(false),
  storyReach: z.enum(storyReaches).default("cell"),
  lengthUnit: z.enum(lengthUnits).default("mi"),
  cursorNotation: z.enum(cursorNotations).default("decimal"),
  /** The map's view, and its event. */
  camera: z.object({ eventId: z.string(), center: Coordinate, zoom: z.number() }).optional(),
});
export type SavedView = z.infer<typeof SavedView>;

export const savedViewKey = "echotop.view";

/** Returns the initial state that a saved view gives. */
export function toInitialState(saved: SavedView | undefined): Partial<ViewerState> {
  if (!saved) return {};
  const { frameLimitMib, ownTables, lengthUnit, cursorNotation } = saved;
  const habits = { ...pickSettings(saved), frameLimitMib, ownTables, lengthUnit, cursorNotation };
  if (!saved.startsWhereLeft) return habits;
  return {
    ...habits,
    savedEventId: saved.eventId,
    layerPreferences: saved.layers,
    leftPanelOpen: saved.leftPanelOpen,
    timelineFolded: saved.timelineFolded,
    timelineOrder: saved.timelineOrder,
    orderBeforeStory: saved.orderBeforeStory,
    speed: saved.speed,
    loop: saved.loop,
    playOrder: saved.playOrder,
    pins: saved.pins,
    chosenPin: saved.chosenPin,
    storyOpen: saved.storyOpen,
    storyReach: saved.storyReach,
    ground: { ...defaultGround, ...saved.ground },
  };
}

export function toSavedView(state: ViewerState): SavedView {
  const { selectedEventId, view } = state;
  return {
    version: 1,
    ...pickSettings(state),
    eventId: state.savedEventId,
    layers: state.layerPreferences,
    ownTables: state.ownTables,
    leftPanelOpen: state.leftPanelOpen,
    timelineFolded: state.timelineFolded,
    timelineOrder: state.timelineOrder,
    orderBeforeStory: state.orderBeforeStory,
    frameLimitMib: state.frameLimitMib,
    speed: state.speed,
    // Loop ends chosen by sequence apply to one event only.
    loop: typeof state.loop === "object" ? "all" : state.loop,
    playOrder: state.playOrder,
    pins: [...state.pins],
    chosenPin: state.chosenPin,
    storyOpen: state.storyOpen,
    storyReach: state.storyReach,
    ground: state.ground,
    ...(selectedEventId !== undefined &&
      view && { camera: { eventId: selectedEventId, center: view.center, zoom: view.zoom } }),
  };
}

const savedKeys = [
  ...settingNames,
  "savedEventId",
  "layerPreferences",
  "ownTables",
  "leftPanelOpen",
  "timelineFolded",
  "timelineOrder",
  "orderBeforeStory",
  "frameLimitMib",
  "speed",
  "loop",
  "playOrder",
  "pins",
  "chosenPin",
  "storyOpen",
  "storyReach",
  "ground",
  "view",
] as const satisfies (keyof ViewerState)[];

/**
 * Saves after each relevant change, at once: a person may leave at any time. A view of somebody's is not saved. Returns
 * a function that stops it.
 */
export function keepSaved(store: ViewerStore, stored: StoredValue<SavedView>): () => void {
  return store.subscribe((state, previous) => {
    if (state.isVisiting) return;
    const isChanged = previous.isVisiting || savedKeys.some((key) => state[key] !== previous[key]);
    if (isChanged) stored.save(toSavedView(state));
  });
}
