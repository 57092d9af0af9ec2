// Adds overlays: a person's own files, and with the right to act addresses, folders and presets, which the host reads.
import { useRef, useState, type ReactNode } from "react";
import { mayAct } from "../../state/slices/tasks-slice.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { SideFlyout } from "../controls/flyout.tsx";
import { PlusIcon } from "../controls/icons.tsx";
import { AddFeed } from "./add-feed.tsx";
import { AddPresets } from "./add-presets.tsx";
import type { TypedOverlay } from "../../state/forms/typed-overlay.ts";

/** Without the right to act there are files only, and the button chooses them at once. */
export function AddOverlay(): ReactNode {
  const { store, overlays } = useViewer();
  const access = useViewerState((state) => state.access);
  const input = useRef<HTMLInputElement>(null);
  const chooseFiles = (): void => input.current?.click();
  const label = (
    <>
      <PlusIcon />
      Add overlay
    </>
  );
  return (
    <>
      <input
        ref={input}
        type="file"
        aria-label="Files of overlays"
        hidden
        multiple
        onChange={({ target }) => {
          store.getState().closeFlyout();
          void overlays.addFiles([...(target.files ?? [])]);
          // The same file may be chosen again, after it was changed.
          target.value = "";
        }}
      />
      {mayAct(access) ? (
        <SideFlyout id="add-overlay" title="Add overlay" label={label}>
          <AddPanel chooseFiles={chooseFiles} />
        </SideFlyout>
      ) : (
        <Button className="button small with-icon" onPress={chooseFiles}>
          {label}
        </Button>
      )}
    </>
  );
}

function AddPanel({ chooseFiles }: { readonly chooseFiles: () => void }): ReactNode {
  const [kind, setKind] = useState<TypedOverlay["kind"]>();
  return (
    <div className="add-overlay">
      <div className="button-row">
        <button type="button" className="button small" autoFocus onClick={chooseFiles}>
          File…
        </button>
        {(["address", "folder"] as const).map((each) => (
          <Button
            key={each}
            isOpen={kind === each}
            onPress={() => {
              setKind(kind === each ? undefined : each);
            }}
          >
            {each === "address" ? "Address…" : "Folder…"}
          </Button>
        ))}
      </div>
      {kind ? (
        <AddFeed key={kind} kind={kind} />
      ) : (
        <>
          <p className="caption">
            Placefile, GeoJSON, KML, Shapefile or a table of storm reports. A file stays in this page; an
            address or a folder is read again by itself.
          </p>
          <AddPresets />
        </>
      )}
    </div>
  );
}
