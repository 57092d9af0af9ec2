// Files that are dropped on the page: views are opened, overlays are added.
import { useEffect } from "react";
import { viewFileExtension } from "../../../shared/views/view-file.ts";
import { openViewFile } from "../../state/views/open-view-text.ts";
import { useViewer } from "../../viewer-context.ts";
import { openOverlays } from "../overlays/open-overlays.ts";

/** Names of MRMS files, which only the host reads. */
const gribName = /\.(?:grib2?|grb2?|gz)$/i;

/**
 * Opens the first view among files that are dropped anywhere; without one, adds them as overlays. MRMS files are
 * refused. No file is ever shown as a page.
 */
export function useDroppedFiles(): void {
  const viewer = useViewer();
  useEffect(() => {
    const allow = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0 || event.defaultPrevented) return;
      event.preventDefault();
      const file = files.find(({ name }) => name.toLowerCase().endsWith(viewFileExtension));
      if (file) void openViewFile(viewer, file);
      else if (!files.some(({ name }) => gribName.test(name))) {
        openOverlays(viewer);
        void viewer.overlays.addFiles(files);
      } else
        viewer.store.getState().tellOpenedView({
          phase: "refused",
          code: "view-invalid",
          message: "Files of views and overlays can be dropped here. Add MRMS files with “Add”.",
        });
    };
    window.addEventListener("dragover", allow);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", allow);
      window.removeEventListener("drop", drop);
    };
  }, [viewer]);
}
