// On a low screen the chart gives some of its height to the map.
import { useSyncExternalStore } from "react";

const lowScreen = matchMedia("(max-height: 720px)");

export function useCompactStory(): boolean {
  return useSyncExternalStore(followScreen, () => lowScreen.matches);
}

function followScreen(onChange: () => void): () => void {
  lowScreen.addEventListener("change", onChange);
  return () => {
    lowScreen.removeEventListener("change", onChange);
  };
}
