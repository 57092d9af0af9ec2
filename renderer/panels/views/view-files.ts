// Files of views that are dropped on the page.
import { useEffect } from "react";
import { viewFileExtension } from "../../../shared/views/view-file.ts";
import { openViewFile } from "../../state/views/open-view-text.ts";
import { useViewer } from "../../viewer-context.ts";

/** Opens the first view among files that are dropped anywhere; other files are refused, and never shown as a page. */
export function useDroppedViews(): void {
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
      else
        viewer.store.getState().tellOpenedView({
          phase: "refused",
          code: "view-invalid",
          message: "Only files of views can be dropped here. Add MRMS files with “Add”.",
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
