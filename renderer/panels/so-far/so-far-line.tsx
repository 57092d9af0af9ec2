// The line above the timeline from the loop's start to the playhead: the windows of the largest values so far, with a
// cross for each that is missing.
import type { ReactNode } from "react";
import { observationWindow, windowMs } from "../../../shared/revisions/observation-window.ts";
import { selectWantedSoFar } from "../../state/so-far/so-far.ts";
import { toAudit } from "../../state/so-far/so-far-windows.ts";
import { useViewerState } from "../../viewer-context.ts";
import type { ObservedGeometry } from "../timeline/geometry/observed-layout.ts";
import { rows } from "../timeline/geometry/rows.ts";

const armPx = 3;

export function SoFarLine({ geometry }: { readonly geometry: ObservedGeometry }): ReactNode {
  const made = useViewerState(selectWantedSoFar);
  if (!made) return null;
  const { part, pitchPx, blockPx } = geometry;
  const leftOf = (window: number): number => (window - part.first) * pitchPx;
  const first = Math.max(Math.floor(made.soFar.fromMs / windowMs), part.first);
  const last = Math.min(Math.floor(made.soFar.toMs / windowMs), part.last);
  if (last < first) return null;
  const missing = toAudit(made)
    .missing.map(({ observedAt }) => observationWindow(observedAt))
    .filter((window) => window >= first && window <= last);
  const [fromPx, toPx] = [leftOf(first), leftOf(last) + blockPx];
  const yPx = rows.soFarPx;
  const crosses = missing.map((window) => {
    const xPx = leftOf(window) + blockPx / 2;
    const arm = `${armPx * 2}`;
    return `M${xPx - armPx} ${yPx - armPx}l${arm} ${arm}M${xPx - armPx} ${yPx + armPx}l${arm} -${arm}`;
  });
  return (
    <g className="so-far-line">
      <path d={`M${fromPx + 1} ${yPx + 6}v-6H${toPx}`} />
      {/* The line is broken where a window is missing. */}
      {missing.map((window) => (
        <rect key={window} x={leftOf(window)} y={yPx - 2} width={blockPx} height={4} />
      ))}
      <path className="so-far-crosses" d={crosses.join("")} />
    </g>
  );
}
