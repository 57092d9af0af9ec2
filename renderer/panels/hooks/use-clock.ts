// The clock of the screen for parts that are drawn only when their own input changes.
import { selectPlaceZone } from "../../state/settings/clock-choice.ts";
import { useViewerState } from "../../viewer-context.ts";

/** Renders the part again when the clock of the screen changes. */
export function useClock(): void {
  useViewerState((state) => [state.clockZone, state.clockHours, selectPlaceZone(state)]);
}

/** Returns the room that a time needs on an axis; `labelPx` is that of `21:46` in the usual size. */
export function useTimeLabelPx(labelPx: number): number {
  const { clockHours, textSize } = useViewerState((state) => ({
    clockHours: state.clockHours,
    textSize: state.textSize,
  }));
  return (labelPx * (clockHours === 12 ? 1.4 : 1) * textSize) / 100;
}
