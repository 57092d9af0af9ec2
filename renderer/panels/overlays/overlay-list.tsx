// The overlays below the layers: what lies over the storm, each with its switch, its time rule and its source.
import { useRef, type ReactNode } from "react";
import { selectShownOverlays } from "../../state/overlays/shown-overlays.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { PlusIcon } from "../controls/icons.tsx";
import { overlaySectionId } from "./open-overlays.ts";
import { OverlayRow } from "./overlay-row.tsx";

export function OverlayList(): ReactNode {
  const shown = useViewerState(selectShownOverlays);
  return (
    <section className="overlays" aria-label="Overlays" id={overlaySectionId}>
      <div className="section-head">
        <h2>Overlays</h2>
        <AddOverlay />
      </div>
      {shown.length > 0 && (
        <ul aria-label="Overlays">
          {shown.map((each) => (
            <OverlayRow key={each.overlay.id} shown={each} />
          ))}
        </ul>
      )}
    </section>
  );
}

function AddOverlay(): ReactNode {
  const { overlays } = useViewer();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        aria-label="Files of overlays"
        hidden
        multiple
        onChange={({ target }) => {
          void overlays.addFiles([...(target.files ?? [])]);
          // The same file may be chosen again, after it was changed.
          target.value = "";
        }}
      />
      <Button className="button small with-icon" onPress={() => input.current?.click()}>
        <PlusIcon />
        Add overlay
      </Button>
    </>
  );
}
