// The map's scene of a step, made of the step alone: its view names every frame with its place. For a small preview.
import { toPath } from "../../../shared/contract/operations.ts";
import { paletteIds } from "../../../shared/products/palettes.ts";
import type { CitableView } from "../../../shared/views/citable-view.ts";
import { groundParts, type GroundShown } from "../../basemap/ground-parts.ts";
import type { Scene } from "../../map/scene.ts";

/** Returns the scene of the leading pane; undefined for a view that follows the newest, which names no frames. */
export function toStepScene(view: CitableView): Scene | undefined {
  const { event, revision, layers } = view.panes[view.active]!;
  if (!revision) return undefined;
  const palette = paletteIds.find((id) => id === view.palette) ?? "published";
  return {
    eventId: event.id,
    sequence: revision.sequence,
    layers: layers.map(({ id, visible, opacity, showFrom }) => {
      const pinned = revision.layers.find((layer) => layer.id === id);
      const address = { eventId: event.id, productId: id, frameId: pinned?.frame ?? "" };
      return {
        ...{ id, visible, opacity },
        frame: pinned && { imageUrl: toPath("getFrame", address), bounds: pinned.bounds },
        coloring: { palette, theme: view.theme, showFrom },
      };
    }),
    ...{ overlays: [], swipe: undefined, prefetch: [] },
  };
}

/** Returns the camera of a view on a map of another width: it shows the same area. */
export function toPreviewCamera(
  view: CitableView,
  widthPx: number,
  projectorWidthPx: number,
): { readonly center: [number, number]; readonly zoom: number } | undefined {
  const { camera } = view.panes[view.active]!;
  const paneWidthPx = view.panes.length > 1 ? projectorWidthPx / 2 : projectorWidthPx;
  return camera && { center: camera.center, zoom: camera.zoom + Math.log2(widthPx / paneWidthPx) };
}

export function toGround({ ground }: CitableView): GroundShown {
  return Object.fromEntries(groundParts.map((part) => [part, ground.includes(part)])) as GroundShown;
}
