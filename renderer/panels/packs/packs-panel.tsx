// Handing events on: the packs here, downloading one from a colleague, changes between versions, sharing.
import type { ReactNode } from "react";
import type { PackList } from "../../../shared/contract/packs.ts";
import type { PackView } from "../../state/slices/packs-slice.ts";
import { packIntroduction, packTabs } from "../../text/pack-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { TabbedPanel } from "../controls/tabbed-panel.tsx";
import { GetPack } from "./get-pack.tsx";
import { Hosting } from "./hosting.tsx";
import { MyPacks } from "./my-packs.tsx";
import { PackChanges } from "./pack-change-list.tsx";

export function PacksPanel(): ReactNode {
  const { store } = useViewer();
  const view = useViewerState((state) => state.packView);
  const { phase, list } = useViewerState((state) => state.packs);
  return (
    <TabbedPanel
      legend="Parts of the packs panel"
      tabs={packTabs}
      view={view}
      introduction={packIntroduction}
      onChange={store.getState().setPackView}
    >
      {phase === "failed" && (
        <p className="bad">Can't read the packs now. The panel retries automatically.</p>
      )}
      {phase === "loading" && <p>Reading packs…</p>}
      {list && <View view={view} list={list} />}
    </TabbedPanel>
  );
}

function View({ view, list }: { readonly view: PackView; readonly list: PackList }): ReactNode {
  switch (view) {
    case "packs":
      return <MyPacks list={list} />;
    case "get":
      return <GetPack tokens={list.tokens} />;
    case "changes":
      return <PackChanges packs={list.packs} />;
    case "hosting":
      return <Hosting list={list} />;
  }
}
