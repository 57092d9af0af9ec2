// The picture at the size of the window: the very pixels of the maps on screen, read in their repaint, and the words
// over them.
import { AppError } from "../../../../shared/app-error.ts";
import type { SheetIncludes } from "../../../state/slices/export-slice.ts";
import type { ViewerState } from "../../../state/store.ts";
import type { Viewer } from "../../../viewer-context.ts";
import { toMapRegionId } from "../../map/storm-map-region.tsx";
import { withPublished } from "../sheet/sheet-artist.ts";
import type { SheetLayout } from "../sheet/sheet-layout.ts";
import { freezeViewer, withPicture } from "../sheet/sheet-state.ts";
import type { SheetPart } from "../sheet/sheet.tsx";
import type { SheetWords } from "../sheet/words-image.tsx";

/** The place of a map on screen, and of what is its own around it, in CSS pixels from the corner of all maps. */
interface PlacedMap {
  readonly viewer: Viewer;
  readonly map: DOMRect;
  readonly area: DOMRect;
}

export interface WindowPlan {
  readonly layout: SheetLayout;
  readonly maps: readonly PlacedMap[];
}

/** Finds where the maps are on screen. With one map the picture is that map, with several it is all of them. */
export function planWindow(viewers: readonly Viewer[]): WindowPlan {
  const maps = viewers.map((viewer) => {
    const region = document.getElementById(toMapRegionId(viewer.letter));
    const area = region?.closest(".map-area");
    if (!region || !area) throw new AppError("not-found", "There is no map on screen.");
    const map = region.getBoundingClientRect();
    return { viewer, map, area: viewers.length > 1 ? area.getBoundingClientRect() : map };
  });
  const left = Math.min(...maps.map(({ area }) => area.left));
  const top = Math.min(...maps.map(({ area }) => area.top));
  const widthPx = Math.max(...maps.map(({ area }) => area.right)) - left;
  const heightPx = Math.max(...maps.map(({ area }) => area.bottom)) - top;
  const move = ({ x, y, width, height }: DOMRect): DOMRect => new DOMRect(x - left, y - top, width, height);
  return {
    layout: { widthPx, heightPx, scale: devicePixelRatio },
    maps: maps.map(({ viewer, map, area }) => ({ viewer, map: move(map), area: move(area) })),
  };
}

/** Draws the maps on screen and their words; returns the state of each. */
export async function drawWindow(
  { layout, maps }: WindowPlan,
  includes: SheetIncludes,
  canvas: HTMLCanvasElement,
  words: SheetWords,
): Promise<ViewerState[]> {
  const { scale } = layout;
  canvas.width = Math.round(layout.widthPx * scale);
  canvas.height = Math.round(layout.heightPx * scale);
  const context = canvas.getContext("2d", { willReadFrequently: true, alpha: false })!;
  // A map that is still without its ground is no picture yet.
  await Promise.all(maps.map(async ({ viewer }) => viewer.map.find()?.whenSettled()));
  // All in one task, so that all maps are of the same moment.
  const taken = maps.map(({ viewer, map }) => {
    const state = viewer.map.find()?.readPixels((pixels, drawn) => {
      context.drawImage(pixels, Math.round(map.x * scale), Math.round(map.y * scale));
      return withPicture(viewer.store.getState(), drawn, undefined);
    });
    if (!state) throw new AppError("not-found", "The map cannot be drawn now.");
    return state;
  });
  const states = await Promise.all(taken.map((state, index) => withPublished(maps[index]!.viewer, state)));
  const parts = maps.map(({ viewer, map, area }, index): SheetPart => ({
    viewer: freezeViewer(viewer, states[index]!),
    leftPx: area.x,
    topPx: area.y,
    widthPx: area.width,
    heightPx: area.height,
    footPx: area.bottom - map.bottom,
  }));
  context.drawImage(await words.draw({ parts, includes, theme: states[0]!.theme }, layout), 0, 0);
  return states;
}
