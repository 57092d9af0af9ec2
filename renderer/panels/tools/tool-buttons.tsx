// The buttons of the tools, among the controls of a map.
import type { ReactNode } from "react";
import { selectMotion } from "../../state/tools/motion-line.ts";
import type { Tool } from "../../state/tools/tools-slice.ts";
import type { ViewerState } from "../../state/store.ts";
import { usePaneName, useViewer, useViewerState } from "../../viewer-context.ts";
import { MeasureIcon, MotionIcon } from "../controls/icons.tsx";

export function ToolButtons(): ReactNode {
  return (
    <>
      <ToolButton tool="measure" name="Measure" title="Measure distance and bearing (D)">
        <MeasureIcon />
      </ToolButton>
      <ToolButton tool="motion" name="Storm motion" title="Storm motion from two clicks at two times (G)">
        <MotionIcon />
      </ToolButton>
    </>
  );
}

interface ToolButtonProps {
  readonly tool: Tool;
  readonly name: string;
  readonly title: string;
  readonly children: ReactNode;
}

function ToolButton({ tool, name, title, children }: ToolButtonProps): ReactNode {
  const { store } = useViewer();
  const isOpen = useViewerState((state) => isToolOpen(state, tool));
  return (
    <button
      type="button"
      aria-label={usePaneName(name)}
      aria-pressed={isOpen}
      title={title}
      onClick={() => {
        const { toggleTool, selectedEventId } = store.getState();
        toggleTool(tool, selectedEventId);
      }}
    >
      {children}
    </button>
  );
}

function isToolOpen(state: ViewerState, tool: Tool): boolean {
  return (tool === "measure" ? state.measuring : selectMotion(state)) !== undefined;
}
