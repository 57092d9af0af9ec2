// The reading of the largest values so far at a point, and for a point at rest the window that first had it.
import { useEffect, useState } from "react";
import type { Probe } from "../../state/slices/picture-slice.ts";
import { selectDrawnSoFar, soFarOverlay } from "../../state/so-far/so-far.ts";
import type { MadeSoFar } from "../../state/so-far/so-far-windows.ts";
import { clockMinute } from "../../text/format.ts";
import { toProbeLine, type ProbeLine } from "../../text/probe-text.ts";
import { soFarShortNames } from "../../text/so-far-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";

/** Time that the pointer rests before the frames are read for it. */
const restMs = 250;

export interface SoFarReading {
  readonly line: ProbeLine;
  /** `Largest so far, at 21:30 · revision 16` */
  readonly words: string;
}

export function useSoFarReading(probe: Probe): SoFarReading | undefined {
  const made = useViewerState(selectDrawnSoFar);
  const hailUnits = useViewerState((state) => state.hailUnits);
  const answer = probe.overlays.find(({ id }) => id === soFarOverlay);
  // Where a pixel has several cells, the highest of them may be another than the one at the point.
  const isOneCell = answer?.kind === "class" && answer.withinKm === undefined;
  const when = useFirstReached(probe, isOneCell ? made : undefined);
  if (!made || !answer) return undefined;
  const line = toProbeLine({ frame: undefined, ...answer, id: made.soFar.product }, hailUnits);
  const name = soFarShortNames[made.soFar.product];
  return { line, words: when === undefined ? name : `${name}, ${when}` };
}

interface Reached {
  readonly key: string;
  readonly words: string;
}

/** Returns undefined until the point has rested and its frames are read. */
function useFirstReached({ pointer }: Probe, made: MadeSoFar | undefined): string | undefined {
  const { analysis } = useViewer();
  const [reached, setReached] = useState<Reached>();
  const [longitude, latitude] = pointer.coordinate;
  const picture = made?.soFar.picture?.imageUrl;
  const key = `${longitude} ${latitude} ${picture ?? ""}`;
  useEffect(() => {
    if (!made?.facts) return undefined;
    const { parts } = made.facts;
    const used = made.soFar.windows
      .filter((window) => "layer" in window)
      .filter((_, index) => parts[index] === "used");
    const frames = used.map(({ layer: { imageUrl, bounds } }) => ({ imageUrl, bounds }));
    const abort = new AbortController();
    const timer = setTimeout(() => {
      analysis.findHighest(frames, [longitude, latitude], abort.signal).then(
        ({ first }) => {
          const window = first === undefined ? undefined : used[first];
          if (!window) return;
          const at = clockMinute(Date.parse(window.layer.observedAt));
          setReached({ key, words: `at ${at} · revision ${window.since.sequence}` });
        },
        // The reading stays without its window: the point moved on, or the worker ended.
        () => undefined,
      );
    }, restMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [analysis, key, longitude, latitude, made]);
  return reached?.key === key ? reached.words : undefined;
}
