// The button that opens the steps of a briefing beside the map.
import type { ReactNode } from "react";
import { useBriefing, useViewer } from "../../viewer-context.ts";
import { ProjectorIcon } from "../controls/icons.tsx";

export function BriefingButton(): ReactNode {
  const { briefing } = useViewer();
  const isOpen = useBriefing((state) => state.isOpen);
  return (
    <button
      type="button"
      aria-label="Briefing mode"
      aria-expanded={isOpen}
      title="Briefing mode: record steps, show them on a projector"
      onClick={() => {
        briefing.setOpen(!isOpen);
      }}
    >
      <ProjectorIcon />
    </button>
  );
}
