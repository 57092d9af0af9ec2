// Whom the gateway sent to a main page, from where to where and how often; and what became of the other requests of crawlers.
import { useState, type ReactNode } from "react";
import type { GatewayReport, GatewayState, GatewayZone } from "../../../shared/contract/briefings.ts";
import { reportSentence, reportSpans, toReasonWords } from "../../text/gateway-text.ts";
import { instantWords } from "../../text/format.ts";
import { findZone } from "../../state/slices/briefings-slice.ts";
import { useViewerState } from "../../viewer-context.ts";
import { Choice } from "../controls/choice.tsx";
import { Segmented } from "../controls/segmented.tsx";
import { useAnswer } from "../controls/use-answer.ts";

const spanOptions = reportSpans.map(({ hours, label, words }) => ({ value: hours, label, name: words }));

export function Redirects({ gateway }: { readonly gateway: GatewayState }): ReactNode {
  const [chosenId, setChosenId] = useState<string>();
  const [hours, setHours] = useState<number>(24);
  const zone = findZone(gateway.zones, chosenId);
  if (zone === undefined)
    return <p>The gateway is off: nobody can ask it for a page. It is switched on under “Gateway”.</p>;
  return (
    <>
      <div className="button-row">
        <Segmented legend="How far back" options={spanOptions} value={hours} onChange={setHours} />
      </div>
      {gateway.zones.length > 1 && (
        <Choice
          name="Zone"
          value={zone.id}
          options={gateway.zones.map(({ id, publicOrigin }) => ({ value: id, words: publicOrigin }))}
          onChange={setChosenId}
        />
      )}
      <Report zone={zone} hours={hours} />
    </>
  );
}

function Report({ zone, hours }: { readonly zone: GatewayZone; readonly hours: number }): ReactNode {
  // A week is much to count: it is asked for less often.
  const readings = useViewerState(({ gateway }) =>
    hours > 24 ? Math.floor(gateway.readings / 6) : gateway.readings,
  );
  const { value, problem } = useAnswer("gateway.report", { zoneId: zone.id, hours }, readings);
  const span = reportSpans.find((one) => one.hours === hours)?.words ?? "";
  if (problem !== undefined) return <p className="bad">{problem}</p>;
  if (value === undefined) return <p>Reading the log…</p>;
  return (
    <>
      <p role="status">{reportSentence(value, span)}</p>
      {value.requests > 0 && value.redirects === 0 && zone.feature.value === "off" && (
        <p className="caption">
          Sending crawlers to the main page is off; it is switched on under “Gateway”.
        </p>
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
          <th scope="col">Page, and where to</th>
          <th scope="col">Times</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ crawler, path, target, count, lastAt }) => (
          <tr key={`${crawler ?? ""} ${path} ${target}`} title={`Last ${instantWords(lastAt)}`}>
            <th scope="row">{crawler ?? "no longer listed"}</th>
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

/** A target is on the page's own site: its path says enough. */
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
      <caption>What crawlers that train AI got</caption>
      <thead>
        <tr>
          <th scope="col">Answer</th>
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
