// The Share panel: an event as a briefing, which is a set of web pages, or as a pack, which a colleague downloads. The
// settings of the servers are one step further, under Administration.
import type { ReactNode } from "react";
import type { GatewayState } from "../../../shared/contract/briefings.ts";
import type { PackList } from "../../../shared/contract/packs.ts";
import type { ReadPhase } from "../../state/reading/read-phase.ts";
import { administrationParts, type SharePart } from "../../state/slices/screen-slice.ts";
import { administrationTabs, shareIntroduction, shareTabs } from "../../text/share-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { TabbedPanel } from "../controls/tabbed-panel.tsx";
import { ExplainRequest } from "./briefings/explain-request.tsx";
import { MyBriefings } from "./briefings/my-briefings.tsx";
import { Redirects } from "./briefings/redirects.tsx";
import { WebServer } from "./briefings/web-server.tsx";
import { GetPack } from "./packs/get-pack.tsx";
import { Hosting } from "./packs/hosting.tsx";
import { MyPacks } from "./packs/my-packs.tsx";
import { PackChanges } from "./packs/pack-change-list.tsx";

type AdministrationPart = keyof typeof administrationTabs;

export function SharePanel(): ReactNode {
  const { store } = useViewer();
  const part = useViewerState((state) => state.sharePart);
  const { setSharePart } = store.getState();
  const shared = { introduction: shareIntroduction, onChange: setSharePart };
  if (isAdministrationPart(part)) {
    return (
      <>
        <div className="panel-title">
          <h2>Administration</h2>
          <ShareLink part="briefing" words="Back to sharing" />
        </div>
        <TabbedPanel<AdministrationPart>
          legend="Parts of administration"
          tabs={administrationTabs}
          view={part}
          {...shared}
        >
          <Part part={part} />
        </TabbedPanel>
      </>
    );
  }
  return (
    <TabbedPanel<keyof typeof shareTabs> legend="Parts of Share" tabs={shareTabs} view={part} {...shared}>
      <Part part={part} />
      <p className="panel-end">
        <ShareLink part="hosting" words="Administration…" />
        <span className="caption">Local network, web server, redirects</span>
      </p>
    </TabbedPanel>
  );
}

function isAdministrationPart(part: SharePart): part is AdministrationPart {
  return administrationParts.some((name) => name === part);
}

interface ShareLinkProps {
  readonly part: SharePart;
  readonly words: string;
}

/** Opens another part of the panel. */
function ShareLink({ part, words }: ShareLinkProps): ReactNode {
  const { store } = useViewer();
  return (
    <Button
      className="link"
      onPress={() => {
        store.getState().setSharePart(part);
      }}
    >
      {words}
    </Button>
  );
}

function Part({ part }: { readonly part: SharePart }): ReactNode {
  switch (part) {
    case "briefing":
      return <MyBriefings />;
    case "packs":
      return <WithPacks view={(list) => <MyPacks list={list} />} />;
    case "get":
      return <WithPacks view={({ tokens }) => <GetPack tokens={tokens} />} />;
    case "changes":
      return <WithPacks view={({ packs }) => <PackChanges packs={packs} />} />;
    case "hosting":
      return <WithPacks view={(list) => <Hosting list={list} />} />;
    case "gateway":
      return <WithGateway view={(gateway) => <WebServer gateway={gateway} />} />;
    case "redirects":
      return <WithGateway view={(gateway) => <Redirects gateway={gateway} />} />;
    case "explain":
      return <WithGateway view={(gateway) => <ExplainRequest gateway={gateway} />} />;
  }
}

function WithPacks({ view }: { readonly view: (list: PackList) => ReactNode }): ReactNode {
  const { phase, list } = useViewerState((state) => state.packs);
  return (
    <>
      <ReadingNote phase={phase} what="packs" />
      {list && view(list)}
    </>
  );
}

function WithGateway({ view }: { readonly view: (gateway: GatewayState) => ReactNode }): ReactNode {
  const { phase, state } = useViewerState(({ gateway }) => gateway);
  return (
    <>
      <ReadingNote phase={phase} what="state of the web server" />
      {state && view(state)}
    </>
  );
}

function ReadingNote({ phase, what }: { readonly phase: ReadPhase; readonly what: string }): ReactNode {
  if (phase === "loading") return <p>Reading the {what}…</p>;
  if (phase === "ready") return null;
  return <p className="bad">Can't read the {what} now. The panel retries automatically.</p>;
}
