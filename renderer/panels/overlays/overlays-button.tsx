// The button of the top bar that leads to the overlays.
import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { useViewer } from "../../viewer-context.ts";
import { OverlaysIcon } from "../controls/icons.tsx";
import { openOverlays, overlaySectionId } from "./open-overlays.ts";

export function OverlaysButton(): ReactNode {
  const viewer = useViewer();
  return (
    <button
      type="button"
      className="icon-button"
      aria-label="Overlays"
      title="Overlays: warnings, reports and files over the storm"
      onClick={() => {
        flushSync(() => {
          openOverlays(viewer);
        });
        const section = document.getElementById(overlaySectionId);
        (section?.querySelector<HTMLElement>("li input") ?? section?.querySelector("button"))?.focus();
      }}
    >
      <OverlaysIcon />
    </button>
  );
}
