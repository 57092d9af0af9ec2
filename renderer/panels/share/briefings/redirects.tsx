// The redirects of crawlers: from where to where, and how often; and what the other crawlers got.
import { useState, type ReactNode } from "react";
import type { GatewayReport, GatewayState, GatewayZone } from "../../../../shared/contract/briefings.ts";
import { reportSentence, reportSpans, toReasonWords } from "../../../text/briefing-text.ts";
import { instantWords } from "../../../text/format.ts";
import { findZone } from "../../../state/slices/briefings-slice.ts";
import { useViewerState } from "../../../viewer-context.ts";
import { Choice } from "../../controls/fields.tsx";
import { Segmented } from "../../controls/segmented.tsx";
import { useAnswer } from "../../hooks/use-answer.ts";

export function Redirects({ gateway }: { readonly gateway: GatewayState }): ReactNode {
  const [chosenId, setChosenId] = useState<string>();
  const [hours, setHours] = useState<number>(24);
  const zone = findZone(gateway.zones, chosenId);
  if (zone === undefined) return <p>The web server is off. Turn it on under “Web server”.</p>;
  return (
    <>
      <div className="button-row">
        <Segmented legend="How far back" options={reportSpans} value={hours} onChange={setHours} />
      </div>
      {gateway.zones.length > 1 && (
        <Choice name="Zone" value={zone.id} onChange={setChosenId}>
          {gateway.zones.map(({ id, publicOrigin }) => (
            <option key={id} value={id}>
              {publicOrigin}
            </option>
          ))}
        </Choice>
      )}
      <Report zone={zone} hours={hours} />
    </>
  );
}

function Report({ zone, hours }: { readonly zone: GatewayZone; readonly hours: number }): ReactNode {
  // A week takes long to count, so it is read less often.
  const readings = useViewerState(({ gateway }) =>
    hours > 24 ? Math.floor(gateway.readings / 6) : gateway.readings,
  );
  const { value, problem } = useAnswer("gateway.report", { zoneId: zone.id, hours }, readings);
  const span = reportSpans.find(({ value: hoursBack }) => hoursBack === hours)?.name ?? "";
  if (problem !== undefined) return <p className="bad">{problem}</p>;
  if (value === undefined) return <p>Reading the log…</p>;
  return (
    <>
      <p role="status">{reportSentence(value, span)}</p>
      {value.requests > 0 && value.redirects === 0 && zone.feature.value === "off" && (
        <p className="caption">Redirects are off. Turn them on under “Web server”.</p>
      )}
      <RedirectTable report={value} />
      <ReasonTable report={value} />
    </>
  );
}

function RedirectTable({ report: { rows, redirects } }: { readonly report: GatewayReport }): ReactNode {
  if (rows.length === 0) return null;
  const listed = rows.reduce((sum, { count }) => sum + count, 0);
  return (
    <table className="report-table">
      <caption>Sent to the main page{listed < redirects ? ", the most frequent" : ""}</caption>
      <thead>
        <tr>
          <th scope="col">Crawler</th>
          <th scope="col">From page → to page</th>
          <th scope="col">Times</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ crawler, path, target, count, lastAt }) => (
          <tr key={`${crawler ?? ""} ${path} ${target}`} title={`Last ${instantWords(lastAt)}`}>
            <th scope="row">{crawler ?? "No longer listed"}</th>
            <td>
              {path} <span className="quiet">→ {toPath(target)}</span>
            </td>
            <td>{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A target is on the same site, so its path is enough. */
function toPath(target: string): string {
  if (!URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

function ReasonTable({ report: { reasons } }: { readonly report: GatewayReport }): ReactNode {
  if (reasons.length === 0) return null;
  const most = Math.max(...reasons.map(({ count }) => count));
  return (
    <table className="report-table">
      <caption>What AI training crawlers got</caption>
      <thead>
        <tr>
          <th scope="col">Response</th>
          <th scope="col">Times</th>
        </tr>
      </thead>
      <tbody>
        {reasons.map(({ reason, count }) => (
          <tr key={reason}>
            <th scope="row">
              {toReasonWords(reason)}
              <span className="reason-bar" aria-hidden="true" style={{ width: `${(count / most) * 100}%` }} />
            </th>
            <td>{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
