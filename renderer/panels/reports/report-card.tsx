// The card of the chosen report over the map: what a person reported, above what the radar estimates near it.
import { useEffect, type ReactNode } from "react";
import { stopColors } from "../../../shared/products/palettes.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import type { NearestEstimate, VerifiedReport } from "../../../shared/reports/report-verification.ts";
import type { StormReport } from "../../../shared/reports/storm-report.ts";
import { selectChosenVerified } from "../../state/reports/report-frames.ts";
import { clockMinute, minuteWithZone } from "../../text/format.ts";
import {
  apartWords,
  atPlaceWords,
  awayWords,
  estimateWords,
  reportFacts,
  reportSize,
  spokenReport,
} from "../../text/report-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { CloseIcon } from "../controls/icons.tsx";
import { VerdictMark } from "./verdict-mark.tsx";

export function ReportCard(): ReactNode {
  const report = useViewerState((state) => state.chosenReport);
  return report ? <OpenCard report={report} /> : null;
}

function OpenCard({ report }: { readonly report: StormReport }): ReactNode {
  const { store } = useViewer();
  const hailUnits = useViewerState((state) => state.hailUnits);
  const verified = useViewerState(selectChosenVerified);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key === "Escape") store.getState().chooseReport(undefined);
    };
    window.addEventListener("keydown", press);
    return () => {
      window.removeEventListener("keydown", press);
    };
  }, [store]);
  return (
    <section className="report-card" aria-label={spokenReport(report, hailUnits)}>
      <div className="report-part">
        <p className="report-head">
          <span className="report-badge">Report</span>
          <span className="quiet">{minuteWithZone(report.atMs)}</span>
          <Button
            className="icon-button tiny"
            name="Close the report"
            onPress={() => {
              store.getState().chooseReport(undefined);
            }}
          >
            <CloseIcon />
          </Button>
        </p>
        <p>
          <strong>{report.kind === "hail" ? reportSize(report, hailUnits) : report.kind}</strong>{" "}
          {reportFacts(report)}
        </p>
        {report.remark !== undefined && <p className="caption report-remark">{report.remark}</p>}
      </div>
      {report.kind === "hail" && (
        <div className="report-part">
          <p className="report-head">
            <span className="report-badge estimate">Estimate</span>
            <span className="quiet">Hail size (MESH)</span>
          </p>
          {verified ? <EstimatePart verified={verified} /> : <Reading />}
        </div>
      )}
    </section>
  );
}

function Reading(): ReactNode {
  const { read, total, problem } = useViewerState((state) => state.compared);
  return (
    <p className="quiet" role="status">
      {problem ?? `Reading ${read} of ${total} frames…`}
    </p>
  );
}

function EstimatePart({ verified }: { readonly verified: VerifiedReport }): ReactNode {
  const hailUnits = useViewerState((state) => state.hailUnits);
  const { report, ofSize, nearest, atPlace, verdict } = verified;
  const largest = nearest.at(-1);
  const size = reportSize(report, hailUnits);
  return (
    <>
      {ofSize && <EstimateLine report={report} found={ofSize} what={`nearest that reaches ${size}`} />}
      {!ofSize && largest && <EstimateLine report={report} found={largest} what="largest within 20 km" />}
      {!largest && atPlace && <p>No hail estimated within 20 km and 15 min</p>}
      <p className="quiet">{atPlaceWords(atPlace, hailUnits)}</p>
      <p>
        <VerdictMark verdict={verdict} />
      </p>
    </>
  );
}

interface EstimateLineProps {
  readonly report: StormReport;
  readonly found: NearestEstimate;
  readonly what: string;
}

function EstimateLine({ report, found, what }: EstimateLineProps): ReactNode {
  const hailUnits = useViewerState((state) => state.hailUnits);
  const lengthUnit = useViewerState((state) => state.lengthUnit);
  const palette = useViewerState((state) => state.palette);
  const theme = useViewerState((state) => state.theme);
  const product = getProduct("mrms-mesh");
  const stop = product.stops.findLastIndex(({ from }) => from <= found.range.lower);
  const color = stopColors(product, palette, theme)[stop];
  return (
    <>
      <p className="report-found">
        <span className="probe-swatch" style={{ background: color }} />
        <strong>{estimateWords(found.range, hailUnits)}</strong> {what}
      </p>
      <p>
        {awayWords(report.coordinate, found, lengthUnit)}, observed{" "}
        {clockMinute(Date.parse(found.observedAt))}, {apartWords(report.atMs, found.observedAt)}
      </p>
    </>
  );
}
