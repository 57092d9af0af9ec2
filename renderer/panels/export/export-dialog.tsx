// The dialog "Export": a preview of the picture and what it includes, then the ways in which the storm leaves the
// viewer.
import type { ReactNode } from "react";
import { Dialog, DialogButton } from "../controls/dialog.tsx";
import { ExportIcon } from "../controls/icons.tsx";
import { useShortcut } from "../hooks/use-shortcut.ts";
import { DataSection } from "./data-section.tsx";
import { LinkSection } from "./link-section.tsx";
import { LoopSection } from "./loop-section.tsx";
import { PictureSection } from "./picture-section.tsx";
import { PictureView } from "./picture-view.tsx";

export function ExportButton(): ReactNode {
  const { after, aria } = useShortcut("export");
  return (
    <DialogButton
      id="export"
      name="Export"
      title={after("Export: picture, loop, data, link")}
      shortcut={aria}
      className="export-button"
    >
      <ExportIcon />
    </DialogButton>
  );
}

export function ExportDialog(): ReactNode {
  return (
    <Dialog id="export" name="Export" className="export-dialog">
      <div className="export-scroll">
        <PictureView />
        <div className="export-sections">
          <PictureSection />
          <LoopSection />
          <DataSection />
          <LinkSection />
        </div>
      </div>
    </Dialog>
  );
}
