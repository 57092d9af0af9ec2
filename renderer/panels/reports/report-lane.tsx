// The lane of reports above the timeline: a triangle at the time of each, hollow while it is later than the picture.
import { memo, type ReactNode } from "react";
import { windowMs } from "../../../shared/revisions/observation-window.ts";
import { selectStormReports } from "../../state/reports/report-frames.ts";
import { selectShownRevision } from "../../state/selectors.ts";
import { useViewerState } from "../../viewer-context.ts";
import type { ObservedGeometry } from "../timeline/geometry/observed-layout.ts";
import { rows } from "../timeline/geometry/rows.ts";

export function ReportLane({ geometry }: { readonly geometry: ObservedGeometry }): ReactNode {
  const reports = useViewerState(selectStormReports);
  const observedMs = useViewerState((state) => selectShownRevision(state)?.observedMs);
  const { first, last } = geometry.part;
  const inPart = reports
    .map(({ atMs }) => atMs)
    .filter((atMs) => atMs >= first * windowMs && atMs < (last + 1) * windowMs);
  const toPx = (atMs: number): number => Math.round((atMs / windowMs - first) * geometry.pitchPx);
  // Reports of one pixel are one triangle.
  const past = new Set(inPart.filter((atMs) => atMs <= (observedMs ?? -Infinity)).map(toPx));
  const later = new Set(inPart.map(toPx));
  return (
    <g className="report-lane">
      <Triangles kind="report-later" lefts={[...later].filter((xPx) => !past.has(xPx))} />
      <Triangles kind="report-past" lefts={[...past]} />
    </g>
  );
}

interface TrianglesProps {
  readonly kind: string;
  readonly lefts: readonly number[];
}

const Triangles = memo(
  function Triangles({ kind, lefts }: TrianglesProps): ReactNode {
    return (
      <path className={kind} d={lefts.map((xPx) => `M${xPx} ${rows.reportsPx - 4}l4.5 8h-9z`).join("")} />
    );
  },
  (before, after) => before.lefts.join() === after.lefts.join(),
);
