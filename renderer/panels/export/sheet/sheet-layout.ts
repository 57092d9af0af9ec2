// The layout of a sheet: how large its words are drawn, and which area the map of a picture shows. Pure.
import type { SheetSize } from "../../../export/sheet-drawer.ts";
import type { MapView } from "../../../map/scene.ts";

export interface SheetLayout {
  /** Size in CSS pixels, in which words and map are laid out. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Pixels of the file for each CSS pixel. */
  readonly scale: number;
}

/** Size of the layout in CSS pixels: at 1080p, text of 13 px is drawn with 21. */
const designPx = { width: 1200, height: 675 } as const;

export const fixedSizes = {
  "1080p": { widthPx: 1920, heightPx: 1080 },
  "4k": { widthPx: 3840, heightPx: 2160 },
} as const satisfies Record<string, SheetSize>;

export function toLayout({ widthPx, heightPx }: SheetSize): SheetLayout {
  const scale = Math.min(widthPx / designPx.width, heightPx / designPx.height);
  return { widthPx: widthPx / scale, heightPx: heightPx / scale, scale };
}

type Camera = Pick<MapView, "center" | "zoom">;

/** Returns the camera that shows at least the area of a map of another size, in CSS pixels. */
export function toCamera(
  { center, zoom }: Camera,
  screen: { readonly widthPx: number; readonly heightPx: number },
  layout: Pick<SheetLayout, "widthPx" | "heightPx">,
): Camera {
  const ratio = Math.min(layout.widthPx / screen.widthPx, layout.heightPx / screen.heightPx);
  return { center, zoom: zoom + Math.log2(ratio) };
}
