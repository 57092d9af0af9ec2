// Publishing events as plain web pages, and the gateway in front of them: the briefings that are here, the gateway, whom it
// redirected, and why it answers as it does. One part at a time is in view.
import { useEffect, useRef, type ReactNode } from "react";
import type { GatewayState } from "../../../shared/contract/briefings.ts";
import { briefingSentence, briefingViewWords } from "../../text/briefing-text.ts";
import { briefingViews, type BriefingView } from "../../state/slices/briefings-slice.ts";
import { mayAct } from "../../state/slices/tasks-slice.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ReadOnlyNote } from "../controls/read-only-note.tsx";
import { Segmented } from "../controls/segmented.tsx";
import { ExplainRequest } from "./explain-request.tsx";
import { GatewayPart } from "./gateway-part.tsx";
import { MyBriefings } from "./my-briefings.tsx";
import { Redirects } from "./redirects.tsx";

const options = briefingViews.map((value) => ({ value, label: briefingViewWords[value] }));

export function BriefingsPanel(): ReactNode {
  const { store } = useViewer();
  const access = useViewerState((state) => state.access);
  const view = useViewerState((state) => state.briefingView);
  const panel = useRef<HTMLDivElement>(null);
  // What led from one part to another is gone; whoever pressed it goes on at the part's name.
  useEffect(() => {
    if (document.activeElement === document.body)
      panel.current?.querySelector<HTMLElement>("input:checked")?.focus();
  }, [view]);
  if (!mayAct(access)) {
    return (
      <>
        <ReadOnlyNote />
        <p>{briefingSentence}</p>
      </>
    );
  }
  return (
    <div ref={panel} className="panel-parts">
      <Segmented
        legend="Part of the briefings panel"
        options={options}
        value={view}
        onChange={(chosen) => {
          store.getState().setBriefingView(chosen);
        }}
      />
      {view === "briefings" ? <MyBriefings /> : <OfGateway view={view} />}
    </div>
  );
}

/** What needs the gateway's state. */
function OfGateway({ view }: { readonly view: Exclude<BriefingView, "briefings"> }): ReactNode {
  const { phase, state } = useViewerState(({ gateway }) => gateway);
  return (
    <>
      {phase === "failed" && (
        <p className="bad">How the gateway is cannot be read now; the panel asks again by itself.</p>
      )}
      {phase === "loading" && <p>Reading how the gateway is…</p>}
      {state && <GatewayView view={view} gateway={state} />}
    </>
  );
}

interface GatewayViewProps {
  readonly view: Exclude<BriefingView, "briefings">;
  readonly gateway: GatewayState;
}

function GatewayView({ view, gateway }: GatewayViewProps): ReactNode {
  switch (view) {
    case "gateway":
      return <GatewayPart gateway={gateway} />;
    case "redirects":
      return <Redirects gateway={gateway} />;
    case "explain":
      return <ExplainRequest gateway={gateway} />;
  }
}
