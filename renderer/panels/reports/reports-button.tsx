// Opens and closes the panel "Reports and estimates"; there only while reports of hail are shown.
import type { ReactNode } from "react";
import { selectHailReports } from "../../state/reports/report-frames.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";

export function ReportsButton(): ReactNode {
  const { store } = useViewer();
  const count = useViewerState((state) => selectHailReports(state).length);
  const isOpen = useViewerState((state) => state.isReportsOpen);
  if (count === 0) return null;
  return (
    <Button
      className="button small reports-open"
      isOpen={isOpen}
      onPress={() => {
        store.getState().setReportsOpen(!isOpen);
      }}
    >
      Reports and estimates
    </Button>
  );
}
