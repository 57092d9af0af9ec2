// Fills the screen while the briefing is shown, where the browser allows it. Escape leaves the full screen first: that
// is the question whether to leave the briefing.
import { useEffect } from "react";
import { useViewer } from "../../viewer-context.ts";

export function useFullScreen(): void {
  const { briefing } = useViewer();
  useEffect(() => {
    const root = document.documentElement;
    void enter();
    const change = (): void => {
      const show = briefing.store.getState().show;
      if (!document.fullscreenElement && show && show.asking === undefined) {
        briefing.findProjector()?.command("leave");
      }
    };
    root.addEventListener("fullscreenchange", change);
    return () => {
      root.removeEventListener("fullscreenchange", change);
      if (document.fullscreenElement) void document.exitFullscreen();
    };
  }, [briefing]);
}

/** A browser that refuses shows the briefing in its window. */
export async function enter(): Promise<void> {
  if (document.fullscreenElement) return;
  try {
    await document.documentElement.requestFullscreen({ navigationUI: "hide" });
  } catch {
    // The briefing works in a window as well.
  }
}
