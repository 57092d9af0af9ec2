// Briefings, events as web pages: publishing, the web server (the gateway), its redirects, and an explanation of its
// decisions.
import type { ReactNode } from "react";
import type { GatewayState } from "../../../shared/contract/briefings.ts";
import type { BriefingView } from "../../state/slices/briefings-slice.ts";
import { briefingIntroduction, briefingTabs } from "../../text/briefing-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { TabbedPanel } from "../controls/tabbed-panel.tsx";
import { ExplainRequest } from "./explain-request.tsx";
import { MyBriefings } from "./my-briefings.tsx";
import { Redirects } from "./redirects.tsx";
import { WebServer } from "./web-server.tsx";

export function BriefingsPanel(): ReactNode {
  const { store } = useViewer();
  const view = useViewerState((state) => state.briefingView);
  const { phase, state } = useViewerState(({ gateway }) => gateway);
  return (
    <TabbedPanel
      legend="Parts of the briefings panel"
      tabs={briefingTabs}
      view={view}
      introduction={briefingIntroduction}
      onChange={store.getState().setBriefingView}
    >
      {view !== "briefings" && phase === "failed" && (
        <p className="bad">Can't read the state of the web server now. The panel retries automatically.</p>
      )}
      {view !== "briefings" && phase === "loading" && <p>Reading the state of the web server…</p>}
      <View view={view} gateway={state} />
    </TabbedPanel>
  );
}

interface ViewProps {
  readonly view: BriefingView;
  readonly gateway: GatewayState | undefined;
}

function View({ view, gateway }: ViewProps): ReactNode {
  if (view === "briefings") return <MyBriefings />;
  if (!gateway) return null;
  switch (view) {
    case "gateway":
      return <WebServer gateway={gateway} />;
    case "redirects":
      return <Redirects gateway={gateway} />;
    case "explain":
      return <ExplainRequest gateway={gateway} />;
  }
}
