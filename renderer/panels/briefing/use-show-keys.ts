// The keys of keyboard and clicker in the show, and the pointer, which hides when it rests. All other keys of the
// viewer are off.
import { useEffect, useState } from "react";
import { findShowCommand } from "../../state/briefing/show.ts";
import { useViewer } from "../../viewer-context.ts";
import { openPresenter } from "./presenter-window.ts";
import { enter } from "./use-full-screen.ts";

/** Time after which a resting pointer hides. */
const pointerRestMs = 2_000;

/** Returns true while the pointer is hidden. */
export function useShowKeys(): boolean {
  const { briefing } = useViewer();
  const [isResting, setResting] = useState(true);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      // Those of the browser and of the system stay.
      if (event.ctrlKey || event.metaKey || event.altKey || /^F\d/.test(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.repeat) return;
      const found = findShowCommand(event.key);
      const projector = briefing.findProjector();
      const wasAsking = briefing.store.getState().show?.asking;
      if (found === "presenter") openPresenter(briefing);
      else if (found !== undefined) projector?.command(found);
      else projector?.takeBack();
      // The browser's own Escape has left the full screen, and the person stays.
      if (wasAsking === "leave" && briefing.findProjector()) void enter();
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const move = (): void => {
      clearTimeout(timer);
      setResting(false);
      timer = setTimeout(() => {
        setResting(true);
      }, pointerRestMs);
    };
    window.addEventListener("keydown", press, { capture: true });
    window.addEventListener("pointermove", move);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("keydown", press, { capture: true });
      window.removeEventListener("pointermove", move);
    };
  }, [briefing]);
  return isResting;
}
