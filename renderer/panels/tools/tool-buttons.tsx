// The buttons of the tools, among the controls of a map.
import type { ReactNode } from "react";
import { selectMotion } from "../../state/tools/motion-line.ts";
import type { Tool } from "../../state/tools/tools-slice.ts";
import type { ViewerState } from "../../state/store.ts";
import { usePaneName, useViewer, useViewerState } from "../../viewer-context.ts";
import { useShortcut } from "../hooks/use-shortcut.ts";
import { MeasureIcon, MotionIcon } from "../controls/icons.tsx";

export function ToolButtons(): ReactNode {
  return (
    <>
      <ToolButton tool="measure" name="Measure" command="measure" title="Measure distance and bearing">
        <MeasureIcon />
      </ToolButton>
      <ToolButton
        tool="motion"
        name="Storm motion"
        command="storm-motion"
        title="Storm motion from two clicks at two times"
      >
        <MotionIcon />
      </ToolButton>
    </>
  );
}

interface ToolButtonProps {
  readonly tool: Tool;
  readonly name: string;
  readonly title: string;
  readonly command: "measure" | "storm-motion";
  readonly children: ReactNode;
}

function ToolButton({ tool, name, title, command, children }: ToolButtonProps): ReactNode {
  const { store } = useViewer();
  const isOpen = useViewerState((state) => isToolOpen(state, tool));
  const { after, aria } = useShortcut(command);
  return (
    <button
      type="button"
      aria-label={usePaneName(name)}
      aria-pressed={isOpen}
      title={after(title)}
      aria-keyshortcuts={aria}
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
