// What is remembered between visits: the event, the layers' settings, the screen's, the camera. Checked against a schema
// when it is read, so that an older or damaged memory costs nothing.
import * as z from "zod";
import { Coordinate, ProductId } from "../../shared/contract/index.ts";
import { paletteIds } from "../../shared/products/palettes.ts";
import type { StoredValue } from "../platform/stored-value.ts";
import { speeds } from "./playback.ts";
import { loopChoices } from "./loop.ts";
import type { ViewerState, ViewerStore } from "./store.ts";

const LayerPreferenceRecord = z.object({
  visible: z.boolean().optional(),
  opacity: z.number().min(0).max(1).optional(),
});

export const SavedView = z.object({
  version: z.literal(1),
  eventId: z.string().optional(),
  layers: z.partialRecord(ProductId, LayerPreferenceRecord),
  palette: z.enum(paletteIds),
  hailUnits: z.enum(["in", "mm"]),
  leftPanelOpen: z.boolean(),
  characterKeys: z.boolean(),
  speed: z.literal(speeds),
  loop: z.literal(loopChoices),
  /** Where the map stood, and for which event. */
  camera: z.object({ eventId: z.string(), center: Coordinate, zoom: z.number() }).optional(),
});
export type SavedView = z.infer<typeof SavedView>;

export const savedViewKey = "echotop.view";

/** The slices' initial values that a memory gives. */
export function toInitialState(saved: SavedView | undefined): Partial<ViewerState> {
  if (!saved) return {};
  return {
    savedEventId: saved.eventId,
    layerPreferences: saved.layers,
    palette: saved.palette,
    hailUnits: saved.hailUnits,
    leftPanelOpen: saved.leftPanelOpen,
    characterKeys: saved.characterKeys,
    speed: saved.speed,
    loop: saved.loop,
  };
}

export function toSavedView(state: ViewerState): SavedView {
  const { selectedEventId, view } = state;
  return {
    version: 1,
    eventId: state.savedEventId,
    layers: state.layerPreferences,
    palette: state.palette,
    hailUnits: state.hailUnits,
    leftPanelOpen: state.leftPanelOpen,
    characterKeys: state.characterKeys,
    speed: state.speed,
    // Ends chosen by sequence are those of one event.
    loop: typeof state.loop === "object" ? "all" : state.loop,
    ...(selectedEventId !== undefined &&
      view && { camera: { eventId: selectedEventId, center: view.center, zoom: view.zoom } }),
  };
}

/** Saves after each change that matters, at once: a person may leave at any moment. Returns a way to stop. */
export function keepSaved(store: ViewerStore, stored: StoredValue<SavedView>): () => void {
  return store.subscribe((state, previous) => {
    if (touched(state, previous)) stored.save(toSavedView(state));
  });
}

function touched(state: ViewerState, previous: ViewerState): boolean {
  return (
    state.savedEventId !== previous.savedEventId ||
    state.layerPreferences !== previous.layerPreferences ||
    state.palette !== previous.palette ||
    state.hailUnits !== previous.hailUnits ||
    state.leftPanelOpen !== previous.leftPanelOpen ||
    state.characterKeys !== previous.characterKeys ||
    state.speed !== previous.speed ||
    state.loop !== previous.loop ||
    state.view !== previous.view
  );
}
