// Explains the decision of the web server for a request: page, visitor and address in; decision and steps out.
import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import type {
  ExplainInput,
  Explanation,
  GatewayState,
  GatewayZone,
} from "../../../../shared/contract/briefings.ts";
import { decisionWords, visitorKindWords } from "../../../text/briefing-text.ts";
import { findZone } from "../../../state/slices/briefings-slice.ts";
import { commonVisitors, type VisitorKind } from "../../../state/forms/common-visitors.ts";
import {
  chooseVisitor,
  findUserAgent,
  otherVisitor,
  toExplainInput,
  toFirstDraft,
  toFirstUrl,
  type ExplainDraft,
} from "../../../state/forms/explain-draft.ts";
import { selectSelectedEvent, selectShownRevision } from "../../../state/selectors.ts";
import { useViewer, useViewerState } from "../../../viewer-context.ts";
import { ActionButton } from "../../controls/button.tsx";
import { Choice, TextField } from "../../controls/fields.tsx";

export function ExplainRequest({ gateway }: { readonly gateway: GatewayState }): ReactNode {
  const zone = findZone(gateway.zones, undefined);
  if (zone === undefined) return <p>The web server is off. Turn it on under “Web server”.</p>;
  return <ExplainForm key={zone.id} zone={zone} />;
}

type Answer = { readonly ok: Explanation } | { readonly problem: string };

function ExplainForm({ zone }: { readonly zone: GatewayZone }): ReactNode {
  const { actions } = useViewer();
  const idBase = useId();
  const firstUrl = useFirstUrl(zone);
  const [draft, setDraft] = useState<ExplainDraft>(toFirstDraft(firstUrl));
  const [asking, setAsking] = useState(false);
  const [answer, setAnswer] = useState<Answer>();
  const answerPlace = useRef<HTMLDivElement>(null);
  // In a low window the form alone fills the panel, and the answer would stay out of view.
  useEffect(() => {
    if (answer !== undefined) answerPlace.current?.scrollIntoView({ block: "nearest" });
  }, [answer]);
  const checked = toExplainInput(draft);
  const problem = "problem" in checked ? checked.problem : undefined;
  const changeTo = (changed: ExplainDraft): void => {
    setDraft(changed);
    setAnswer(undefined);
  };
  const change = (name: keyof ExplainDraft) => (value: string) => {
    changeTo({ ...draft, [name]: value });
  };

  async function explain(input: ExplainInput): Promise<void> {
    setAsking(true);
    const outcome = await actions.ask("gateway.explain", input);
    setAsking(false);
    setAnswer("ok" in outcome ? { ok: outcome.ok } : { problem: outcome.problem.detail });
  }
  const submit = (): void => {
    if ("input" in checked && !asking) void explain(checked.input);
  };

  return (
    <>
      <p>Shows what a visitor would get, and why. Requests the page once; nothing is logged or changed.</p>
      <form
        className="window-form"
        autoComplete="off"
        onSubmit={(submission) => {
          submission.preventDefault();
          submit();
        }}
      >
        <TextField name="Page" value={draft.url} onChange={change("url")} />
        <VisitorChoice
          value={draft.visitor}
          onChange={(visitor) => {
            changeTo(chooseVisitor(draft, visitor));
          }}
        />
        {draft.visitor === otherVisitor ? (
          <TextField name="User agent" value={draft.userAgent} onChange={change("userAgent")} />
        ) : (
          <p className="caption address">{findUserAgent(draft)}</p>
        )}
        <TextField
          name="Address"
          placeholder="203.0.113.7"
          value={draft.address}
          describedBy={`${idBase}-address`}
          onChange={change("address")}
        />
        <p className="caption" id={`${idBase}-address`}>
          A user agent alone proves nothing. A crawler needs an address that its operator publishes, or that
          DNS links to its name.
        </p>
        <TextField
          name="Previous page"
          placeholder="None"
          value={draft.referer}
          describedBy={`${idBase}-previous`}
          onChange={change("referer")}
        />
        <p className="caption" id={`${idBase}-previous`}>
          The page with the link that the visitor followed (Referer)
        </p>
        <div className="button-row">
          <ActionButton unavailable={asking ? "Waiting for the answer" : problem} onPress={submit}>
            Explain
          </ActionButton>
          {problem !== undefined && <span className="caption row-words">{problem}</span>}
        </div>
      </form>
      <div ref={answerPlace} role="status" className="panel-answer">
        {answer &&
          ("ok" in answer ? <Decision explanation={answer.ok} /> : <p className="bad">{answer.problem}</p>)}
      </div>
    </>
  );
}

function useFirstUrl(zone: GatewayZone): string {
  const eventId = useViewerState((state) => selectSelectedEvent(state)?.id);
  const briefing = useViewerState(({ briefings }) => briefings.list.find((one) => one.eventId === eventId));
  const shown = useViewerState((state) => selectShownRevision(state)?.sequence);
  return toFirstUrl(zone, { briefing, shown });
}

interface VisitorChoiceProps {
  readonly value: string;
  readonly onChange: (visitor: string) => void;
}

const kinds = Object.keys(visitorKindWords) as VisitorKind[];

function VisitorChoice({ value, onChange }: VisitorChoiceProps): ReactNode {
  return (
    <Choice name="Visitor" value={value} onChange={onChange}>
      {kinds.map((kind) => (
        <optgroup key={kind} label={visitorKindWords[kind]}>
          {commonVisitors
            .filter((visitor) => visitor.kind === kind)
            .map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
        </optgroup>
      ))}
      <option value={otherVisitor}>Another, by its user agent…</option>
    </Choice>
  );
}

/** The decision in words, and the steps that led to it. */
function Decision({ explanation }: { readonly explanation: Explanation }): ReactNode {
  const { steps, target } = explanation;
  const { what, why } = decisionWords(explanation);
  return (
    <div className="explanation">
      <p className="decision">{what}</p>
      {target !== null && <p className="address">{target}</p>}
      <p>{why}</p>
      <ol className="explanation-steps" aria-label="How it was decided">
        {steps.map(({ name, outcome, text }, index) => (
          // A step can be repeated, so its place in the list is part of the key.
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
