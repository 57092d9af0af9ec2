// Goes to a report: the map to its place, the picture to its time.
import type { StormReport } from "../../../shared/reports/storm-report.ts";
import { findSequenceAt } from "../../state/reports/report-frames.ts";
import type { Viewer } from "../../viewer-context.ts";

/** A county: the storm around the report is in view. */
const reportZoom = 8.5;

export function showReport({ store, map }: Viewer, report: StormReport): void {
  const state = store.getState();
  state.chooseReport(report);
  const sequence = findSequenceAt(state, report);
  if (sequence !== undefined) state.goTo(sequence);
  map.find()?.flyTo([...report.coordinate], Math.max(state.view?.zoom ?? 0, reportZoom));
}
