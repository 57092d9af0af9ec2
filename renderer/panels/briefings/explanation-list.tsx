// A decision of the gateway in words, and below it the steps that led there.
import type { ReactNode } from "react";
import type { Explanation } from "../../../shared/contract/briefings.ts";
import { decisionWords } from "../../text/gateway-text.ts";

export function ExplanationSteps({ explanation }: { readonly explanation: Explanation }): ReactNode {
  const { steps, target } = explanation;
  const { what, why } = decisionWords(explanation);
  return (
    <div className="explanation">
      <p className="decision">{what}</p>
      {target !== null && <p className="address">{target}</p>}
      <p>{why}</p>
      <ol className="explanation-steps" aria-label="How it was decided">
        {steps.map(({ name, outcome, text }, index) => (
          // The same step may be taken twice; their order is what tells them apart.
          <li key={`${index} ${name}`} className={outcome}>
            <span className="step-name">
              {name}
              {outcome === "decided" && <span className="step-mark"> decided</span>}
            </span>
            <span className="quiet">{text}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
