// The hail reports, the frames that they are compared with, and the ways from one to the other. Pure.
import { toLayerWindows } from "../../../shared/analysis/window-layers.ts";
import { mostApartMs, type VerifiedReport } from "../../../shared/reports/report-verification.ts";
import type { OverlayContent } from "../../../shared/overlays/overlay.ts";
import type { StormReport } from "../../../shared/reports/storm-report.ts";
import type { EstimateRef } from "../../frames/analysis-messages.ts";
import { selectShownOverlays } from "../overlays/shown-overlays.ts";
import { memoizePerStore } from "../selectors.ts";
import type { ViewerState } from "../store.ts";
import { perList } from "../timeline/revisions.ts";

/** Returns every report of the overlays that are on and fit the storm: the same list while they are the same. */
export const selectStormReports = memoizePerStore(
  (state) => {
    const contents = toContents(state);
    return [contents.length, ...contents];
  },
  (state): readonly StormReport[] =>
    toContents(state).flatMap(({ shapes }) => shapes.flatMap(({ report }) => report ?? [])),
);

function toContents(state: ViewerState): OverlayContent[] {
  return selectShownOverlays(state).flatMap(({ overlay: { isOn, content }, unfit }) =>
    isOn && content && !unfit ? [content] : [],
  );
}

/** Returns the reports of hail: the same list while the reports are. */
export const selectHailReports = memoizePerStore(
  (state) => [selectStormReports(state)],
  (state): readonly StormReport[] => selectStormReports(state).filter(({ kind }) => kind === "hail"),
);

/** Returns the hail frame of each window, each at its newest known revision, by time of observation. */
export const toEstimateRefs = perList((revisions): readonly EstimateRef[] =>
  toLayerWindows(revisions, "mrms-mesh").flatMap(({ layer, since: { sequence } }) => {
    if (!layer) return [];
    const { imageUrl, bounds, observedAt } = layer;
    return [{ imageUrl, bounds, observedAt, sequence }];
  }),
);

/**
 * Returns the sequence to show with a report: that of the first hail frame from its time on, with which the report is
 * on the map; without one soon after it, of the last frame before.
 */
export function findSequenceAt({ history }: ViewerState, { atMs }: StormReport): number | undefined {
  const refs = toEstimateRefs(history.revisions);
  const lateMs = ({ observedAt }: EstimateRef): number => Date.parse(observedAt) - atMs;
  const next = refs.find((ref) => lateMs(ref) >= 0);
  if (next && lateMs(next) <= mostApartMs) return next.sequence;
  return (refs.findLast((ref) => lateMs(ref) < 0) ?? next)?.sequence;
}

/** Returns what the estimates say of the chosen report; undefined until they are read. */
export function selectChosenVerified({ compared, chosenReport }: ViewerState): VerifiedReport | undefined {
  return chosenReport && compared.verified?.find(({ report }) => report === chosenReport);
}
