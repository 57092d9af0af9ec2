// The panel "Reports and estimates", between map and timeline: totals that choose the rows, the table, and its file.
import { useMemo, type ReactNode } from "react";
import { reportColumns, toReportCells, toReportLine } from "../../../shared/reports/report-lines.ts";
import {
  toTotals,
  verdicts,
  type ReportTotals,
  type Verdict,
  type VerifiedReport,
} from "../../../shared/reports/report-verification.ts";
import { saveCsv } from "../../export/data/data-session.ts";
import { selectHailReports } from "../../state/reports/report-frames.ts";
import { clockMinute } from "../../text/format.ts";
import { totalsWords, verdictMeanings, verdictPlurals } from "../../text/report-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { CloseIcon } from "../controls/icons.tsx";
import { Segmented } from "../controls/segmented.tsx";
import { mostReportRows, ReportsTable } from "./reports-table.tsx";

export function ReportsPanel(): ReactNode {
  const { store } = useViewer();
  const verified = useViewerState((state) => state.compared.verified);
  const shown = useViewerState((state) => state.shownVerdict);
  const rows = useMemo(
    () =>
      (verified ?? [])
        .filter(({ verdict }) => shown === undefined || verdict === shown)
        .toSorted((first, second) => first.report.atMs - second.report.atMs),
    [verified, shown],
  );
  return (
    <section className="reports" aria-label="Reports and estimates">
      <div className="reports-head">
        <h2>Reports and estimates</h2>
        {verified && verified.length > 0 && <VerdictFilter totals={toTotals(verified)} />}
        <ReportsStatus rowCount={rows.length} />
        <span className="reports-space" />
        {verified && verified.length > 0 && <SaveReports verified={verified} />}
        <Button
          className="icon-button tiny"
          name="Close reports and estimates"
          onPress={() => {
            store.getState().setReportsOpen(false);
          }}
        >
          <CloseIcon />
        </Button>
      </div>
      <div className="reports-body">{rows.length > 0 && <ReportsTable rows={rows} />}</div>
    </section>
  );
}

function VerdictFilter({ totals }: { readonly totals: ReportTotals }): ReactNode {
  const { store } = useViewer();
  const shown = useViewerState((state) => state.shownVerdict);
  return (
    <>
      <span className="unseen" role="status">
        {totalsWords(totals)}
      </span>
      <Segmented<Verdict | "all">
        legend="Verdicts shown"
        options={[
          { value: "all", label: `All ${totals.reports}` },
          ...verdicts.map((verdict) => ({
            value: verdict,
            label: `${verdictPlurals[verdict]} ${totals[verdict]}`,
            hint: verdictMeanings[verdict],
          })),
        ]}
        value={shown ?? "all"}
        onChange={(value) => {
          store.getState().setShownVerdict(value === "all" ? undefined : value);
        }}
      />
    </>
  );
}

/** Why there is no table yet, or what it leaves out. */
function ReportsStatus({ rowCount }: { readonly rowCount: number }): ReactNode {
  const reports = useViewerState(selectHailReports);
  const { read, total, verified, unreadable, problem } = useViewerState((state) => state.compared);
  if (problem !== undefined) return <p className="reports-note warning">{problem}</p>;
  if (reports.length === 0) {
    return <p className="reports-note quiet">Add a file of storm reports as an overlay, and turn it on</p>;
  }
  if (!verified || read < total) {
    return (
      <p className="reports-note quiet" role="status">
        Reading {read} of {total} frames…
      </p>
    );
  }
  const left =
    rowCount > mostReportRows ? `First ${mostReportRows} of ${rowCount}; the CSV file has all` : undefined;
  const failed =
    unreadable.length === 0
      ? undefined
      : `Failed to load: ${unreadable.map((observedAt) => clockMinute(Date.parse(observedAt))).join(", ")}`;
  return (
    <>
      {left && <p className="reports-note quiet">{left}</p>}
      {failed && <p className="reports-note warning">{failed}</p>}
    </>
  );
}

function SaveReports({ verified }: { readonly verified: readonly VerifiedReport[] }): ReactNode {
  const { store } = useViewer();
  return (
    <Button
      name="Save reports and estimates as CSV"
      onPress={() => {
        const rows = verified.map((one) => toReportCells(toReportLine(one)).join(","));
        const text = [reportColumns.join(","), ...rows, ""].join("\r\n");
        void saveCsv(store, "reports", text);
      }}
    >
      Save CSV
    </Button>
  );
}
