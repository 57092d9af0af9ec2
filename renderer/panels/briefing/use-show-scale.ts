// Everything on the projector is laid out for 1080 lines and scales with the screen's height, the map's labels too: the
// map is drawn for half the lines and shown enlarged.
import { useLayoutEffect } from "react";
import { useViewer } from "../../viewer-context.ts";

/** Size of the map, in CSS pixels, that is shown at scale 1. */
const mapSizePx = { width: 720, height: 540 };

/** Returns the scale on a screen of this size in CSS pixels. */
export function toShowScale(widthPx: number, heightPx: number): number {
  return Math.min(heightPx / mapSizePx.height, widthPx / mapSizePx.width);
}

export function findShowScale(): number {
  return toShowScale(window.innerWidth, window.innerHeight);
}

/** Sets `--scale`, which show.css uses, and keeps the map sharp. */
export function useShowScale(): void {
  const { panes, map } = useViewer();
  useLayoutEffect(() => {
    const root = document.documentElement;
    const apply = (): void => {
      root.style.setProperty("--scale", String(findShowScale()));
      map.find()?.setEnlargement(findShowScale());
    };
    apply();
    window.addEventListener("resize", apply);
    return () => {
      window.removeEventListener("resize", apply);
      root.style.removeProperty("--scale");
      map.find()?.setEnlargement(1);
    };
  }, [map, panes]);
}
