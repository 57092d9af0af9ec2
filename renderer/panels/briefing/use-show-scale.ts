// Everything on the projector is laid out for 1080 lines and scales with the screen's height, the map's labels too: the
// map is drawn for half the lines and shown enlarged.
import { useLayoutEffect } from "react";
import { useViewer } from "../../viewer-context.ts";

/** Size of the map, in CSS pixels, that is shown at scale 1. */
const widthPx = 720;
const heightPx = 540;

export function findShowScale(): number {
  return Math.min(window.innerHeight / heightPx, window.innerWidth / widthPx);
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
