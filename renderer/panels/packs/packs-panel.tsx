// Handing events on: the packs that are here, getting one from a colleague, what changed, and hosting. One part at a time is
// in view.
import type { ReactNode } from "react";
import type { PackList } from "../../../shared/contract/packs.ts";
import { packSentence, packViewWords } from "../../text/pack-text.ts";
import { packViews, type PackView } from "../../state/slices/packs-slice.ts";
import { mayAct } from "../../state/slices/tasks-slice.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ReadOnlyNote } from "../controls/read-only-note.tsx";
import { Segmented } from "../controls/segmented.tsx";
import { GetPack } from "./get-pack.tsx";
import { Hosting } from "./hosting.tsx";
import { MyPacks } from "./my-packs.tsx";
import { PackChanges } from "./pack-change-list.tsx";

const options = packViews.map((value) => ({ value, label: packViewWords[value] }));

export function PacksPanel(): ReactNode {
  const { store } = useViewer();
  const access = useViewerState((state) => state.access);
  const view = useViewerState((state) => state.packView);
  const { phase, list } = useViewerState((state) => state.packs);
  if (!mayAct(access)) {
    return (
      <>
        <ReadOnlyNote />
        <p>{packSentence}</p>
      </>
    );
  }
  return (
    <div className="panel-parts">
      <Segmented
        legend="Part of the packs panel"
        options={options}
        value={view}
        onChange={(chosen) => {
          store.getState().setPackView(chosen);
        }}
      />
      {phase === "failed" && (
        <p className="bad">The packs cannot be read now; the panel asks again by itself.</p>
      )}
      {phase === "loading" && <p>Reading the packs…</p>}
      {list && <View view={view} list={list} />}
    </div>
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
