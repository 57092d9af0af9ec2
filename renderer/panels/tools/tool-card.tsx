// The cards of the tools over the map, and the frame that they share.
import type { ReactNode } from "react";
import { selectMotion } from "../../state/tools/motion-line.ts";
import type { Tool } from "../../state/tools/tools-slice.ts";
import { usePaneName, useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { CloseIcon } from "../controls/icons.tsx";
import { MeasureCard } from "./measure-card.tsx";
import { MotionCard } from "./motion-card.tsx";

export function ToolCards(): ReactNode {
  const measuring = useViewerState((state) => state.measuring);
  const motion = useViewerState(selectMotion);
  if (!measuring && !motion) return null;
  return (
    <div className="tool-cards">
      {measuring && (
        <ToolCard tool="measure" name="Measure">
          <MeasureCard measuring={measuring} />
        </ToolCard>
      )}
      {motion && (
        <ToolCard tool="motion" name="Storm motion">
          <MotionCard motion={motion} />
        </ToolCard>
      )}
    </div>
  );
}

interface ToolCardProps {
  readonly tool: Tool;
  readonly name: string;
  readonly children: ReactNode;
}

function ToolCard({ tool, name, children }: ToolCardProps): ReactNode {
  const { store } = useViewer();
  const isTaking = useViewerState((state) => state.toolTaking === tool);
  return (
    <section className="tool-card" aria-label={usePaneName(name)} data-tool-card={tool}>
      <header>
        <h2>{name}</h2>
        {!isTaking && (
          <Button
            className="link"
            name={`Start again: ${name}`}
            onPress={() => {
              const { restartTool, selectedEventId } = store.getState();
              restartTool(tool, selectedEventId);
            }}
          >
            Start again
          </Button>
        )}
        <Button
          className="icon-button tiny"
          name={`Close: ${name}`}
          onPress={() => {
            store.getState().closeTool(tool);
          }}
        >
          <CloseIcon />
        </Button>
      </header>
      {children}
    </section>
  );
}
