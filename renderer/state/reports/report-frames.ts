// The hail reports, the frames that they are compared with, and the ways from one to the other. Pure.
import { toLayerWindows } from "../../../shared/analysis/window-layers.ts";
import type { VerifiedReport } from "../../../shared/reports/report-verification.ts";
import type { StormReport } from "../../../shared/reports/storm-report.ts";
import type { EstimateRef } from "../../frames/analysis-messages.ts";
import { memoizePerStore } from "../selectors.ts";
import type { ViewerState } from "../store.ts";
import { perList } from "../timeline/revisions.ts";

/** Returns the reports of hail: the same list while the reports are. */
export const selectHailReports = memoizePerStore(
  ({ stormReports }) => [stormReports],
  ({ stormReports }): readonly StormReport[] => stormReports.filter(({ kind }) => kind === "hail"),
);

/** Returns the hail frame of each window, each at its newest known revision, by time of observation. */
export const toEstimateRefs = perList((revisions): readonly EstimateRef[] =>
  toLayerWindows(revisions, "mrms-mesh").flatMap(({ layer, since: { sequence } }) => {
    if (!layer) return [];
    const { imageUrl, bounds, observedAt } = layer;
    return [{ imageUrl, bounds, observedAt, sequence }];
  }),
);

/** Returns the sequence to show with a report: that of the hail frame nearest in time. */
export function findSequenceAt({ history }: ViewerState, { atMs }: StormReport): number | undefined {
  const apart = ({ observedAt }: EstimateRef): number => Math.abs(Date.parse(observedAt) - atMs);
  const [first, ...others] = toEstimateRefs(history.revisions);
  return first && others.reduce((best, ref) => (apart(ref) < apart(best) ? ref : best), first).sequence;
}

/** Returns what the estimates say of the chosen report; undefined until they are read. */
export function selectChosenVerified(state: ViewerState): VerifiedReport | undefined {
  const { compared, chosenReport } = state;
  const index = chosenReport ? selectHailReports(state).indexOf(chosenReport) : -1;
  return compared.verified?.[index];
}
