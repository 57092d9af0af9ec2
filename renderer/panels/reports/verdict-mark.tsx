// The mark of a verdict, told by its shape and not by color alone.
import type { ReactNode } from "react";
import type { Verdict } from "../../../shared/reports/report-verification.ts";
import { verdictMeanings, verdictWords } from "../../text/report-text.ts";

const drawings: Readonly<Record<Verdict, ReactNode>> = {
  hit: (
    <>
      <circle cx="6" cy="6" r="5.5" />
      <path d="m3.5 6 1.8 1.9 3.2-3.8" />
    </>
  ),
  miss: <path d="m2 2 8 8M10 2l-8 8" />,
  "not-covered": <circle cx="6" cy="6" r="5" strokeDasharray="2.2 2" />,
};

export function VerdictMark({ verdict }: { readonly verdict: Verdict }): ReactNode {
  return (
    <span className={`verdict verdict-${verdict}`} title={verdictMeanings[verdict]}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        {drawings[verdict]}
      </svg>
      {verdictWords[verdict]}
    </span>
  );
}
