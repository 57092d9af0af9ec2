// Everything on the projector is laid out for 1080 lines and scales with the screen's height, the map's labels too: the
// maps are drawn for half the lines and shown enlarged.
import { useEffect, useLayoutEffect } from "react";
import { selectVisiblePanes } from "../../state/panes/pane-store.ts";
import { toPaneViewer, usePanes, useViewer } from "../../viewer-context.ts";

/** Size of the map, in CSS pixels, that is shown at scale 1. */
const mapSizePx = { width: 720, height: 540 };

/** Returns the scale on a screen of this size in CSS pixels. */
export function toShowScale(widthPx: number, heightPx: number): number {
  return Math.min(heightPx / mapSizePx.height, widthPx / mapSizePx.width);
}

export function findShowScale(): number {
  return toShowScale(window.innerWidth, window.innerHeight);
}

/** Sets `--scale`, which show.css uses, and keeps the maps sharp. */
export function useShowScale(): void {
  const main = useViewer();
  const visible = usePanes(selectVisiblePanes);
  // Before the first paint, so that nothing is seen in another size.
  useLayoutEffect(() => {
    const root = document.documentElement;
    const apply = (): void => {
      root.style.setProperty("--scale", String(findShowScale()));
    };
    apply();
    window.addEventListener("resize", apply);
    return () => {
      window.removeEventListener("resize", apply);
      root.style.removeProperty("--scale");
    };
  }, []);
  // The maps of panes that open come with the effects of their own parts.
  useEffect(() => {
    const enlarge = (factor: number): void => {
      for (const pane of visible) toPaneViewer(main, pane).map.find()?.setEnlargement(factor);
    };
    const apply = (): void => {
      enlarge(findShowScale());
    };
    apply();
    window.addEventListener("resize", apply);
    return () => {
      window.removeEventListener("resize", apply);
      enlarge(1);
    };
  }, [main, visible]);
}
