// The picture as a file or in the clipboard.
import type { ReactNode } from "react";
import { selectShownRevision } from "../../state/selectors.ts";
import { useIsSideBySide, useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { CopyIcon } from "../controls/icons.tsx";
import { copyPicture, savePicture } from "./picture/save-picture.ts";
import { useShortcut } from "../hooks/use-shortcut.ts";

const nothing = "Nothing is published yet";

export function PictureSection(): ReactNode {
  const viewer = useViewer();
  const saveKey = useShortcut("save-picture").label;
  const sequence = useViewerState((state) => selectShownRevision(state)?.sequence);
  const report = useViewerState((state) => state.exportReport);
  const size = useViewerState((state) => state.sheetSize);
  const isSideBySide = useIsSideBySide();
  const unavailable = sequence === undefined ? nothing : undefined;
  const paneWords = size === "window" ? "all panes" : "the active pane";
  const place = sequence === undefined ? "" : `revision ${sequence}`;
  return (
    <section className="export-section" aria-label="Picture">
      <div className="export-section-head">
        <h3>Picture</h3>
        <span className="quiet">{isSideBySide ? paneWords : place}</span>
      </div>
      <div className="export-row">
        <Button unavailable={unavailable} onPress={() => void savePicture(viewer)}>
          Save PNG
        </Button>
        <Button unavailable={unavailable} onPress={() => void copyPicture(viewer)}>
          <CopyIcon />
          Copy picture
        </Button>
        {saveKey !== undefined && <kbd title="Saves the picture without this dialog">{saveKey}</kbd>}
      </div>
      {report && (
        <p className="export-report" data-kind={report.kind}>
          {report.words}
        </p>
      )}
    </section>
  );
}
