// Says what became of the last save or copy: over the map for a while, or in the dialog while it is open.
import { useEffect, type ReactNode } from "react";
import { useViewer, useViewerState } from "../../viewer-context.ts";

const shownMs = 8_000;

export function ExportStatus(): ReactNode {
  const { store } = useViewer();
  const report = useViewerState((state) => state.exportReport);
  const isOpen = useViewerState((state) => state.flyout === "export");
  useEffect(() => {
    if (!report || report.kind === "working" || isOpen) return undefined;
    const timer = setTimeout(() => {
      store.getState().setExportReport(undefined);
    }, shownMs);
    return () => {
      clearTimeout(timer);
    };
  }, [store, report, isOpen]);
  return (
    <p
      className="export-status"
      role="status"
      data-kind={report?.kind}
      data-place={isOpen ? "dialog" : "map"}
    >
      {report?.words}
    </p>
  );
}
