// The hail reports with what the estimates say of each: a row leads to the report's place and time.
import { memo, useEffect, useRef, type ReactNode } from "react";
import { reachesKm } from "../../../shared/reports/around-reading.ts";
import type { NearestEstimate, VerifiedReport } from "../../../shared/reports/report-verification.ts";
import type { StormReport } from "../../../shared/reports/storm-report.ts";
import type { LengthUnit } from "../../state/tools/tools-slice.ts";
import { clockMinute, type HailUnits } from "../../text/format.ts";
import { apartShort, awayWords, estimateWords, reportSize, spokenReport } from "../../text/report-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { showReport } from "./show-report.ts";
import { VerdictMark } from "./verdict-mark.tsx";

/** Most rows on the page; a file has them all. */
export const mostReportRows = 500;

export function ReportsTable({ rows }: { readonly rows: readonly VerifiedReport[] }): ReactNode {
  const viewer = useViewer();
  const hailUnits = useViewerState((state) => state.hailUnits);
  const lengthUnit = useViewerState((state) => state.lengthUnit);
  const chosen = useViewerState((state) => state.chosenReport);
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    body.current?.querySelector("[data-chosen=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <table className="reports-table" aria-label="Reports and estimates">
      <thead>
        <tr>
          <th scope="col">Verdict</th>
          <th scope="col">Time</th>
          <th scope="col">Reported</th>
          <th scope="col">Place</th>
          {reachesKm.map((km) => (
            <th key={km} scope="col">
              Largest within {km} km
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.slice(0, mostReportRows).map((row, index) => (
          <ReportRow
            key={index}
            row={row}
            {...{ hailUnits, lengthUnit }}
            isChosen={row.report === chosen}
            onShow={(report) => {
              showReport(viewer, report);
            }}
          />
        ))}
      </tbody>
    </table>
  );
}

interface ReportRowProps {
  readonly row: VerifiedReport;
  readonly hailUnits: HailUnits;
  readonly lengthUnit: LengthUnit;
  readonly isChosen: boolean;
  readonly onShow: (report: StormReport) => void;
}

const ReportRow = memo(
  function ReportRow({ row, hailUnits, lengthUnit, isChosen, onShow }: ReportRowProps): ReactNode {
    const { report, verdict, nearest } = row;
    return (
      <tr
        data-chosen={isChosen}
        onClick={() => {
          onShow(report);
        }}
      >
        <td>
          <VerdictMark verdict={verdict} />
        </td>
        <td>
          <button
            type="button"
            className="link"
            aria-label={spokenReport(report, hailUnits)}
            aria-pressed={isChosen}
          >
            {clockMinute(report.atMs)}
          </button>
        </td>
        <td className="report-size">{reportSize(report, hailUnits)}</td>
        <td className="report-place" title={report.place}>
          {report.place}
        </td>
        {nearest.map((found, reach) => (
          <td key={reachesKm[reach]}>
            <Estimate {...{ report, found, hailUnits, lengthUnit }} />
          </td>
        ))}
      </tr>
    );
  },
  // The way to a report is the same for every rendering.
  (before, after) =>
    before.row === after.row &&
    before.hailUnits === after.hailUnits &&
    before.lengthUnit === after.lengthUnit &&
    before.isChosen === after.isChosen,
);

interface EstimateProps {
  readonly report: StormReport;
  readonly found: NearestEstimate | undefined;
  readonly hailUnits: HailUnits;
  readonly lengthUnit: LengthUnit;
}

function Estimate({ report, found, hailUnits, lengthUnit }: EstimateProps): ReactNode {
  if (!found) return <span className="quiet">none</span>;
  const { coordinate, atMs } = report;
  return (
    <>
      <span className="report-class">{estimateWords(found.range, hailUnits)}</span>{" "}
      <span className="caption">
        {awayWords(coordinate, found, lengthUnit)}, {apartShort(atMs, found.observedAt)}
      </span>
    </>
  );
}
