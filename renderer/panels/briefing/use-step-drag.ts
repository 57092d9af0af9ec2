// Drags a step of the list to another place.
import { useState, type DragEvent } from "react";
import { moveStep, type Steps } from "../../state/briefing/steps-edit.ts";
import type { StepsSession } from "../../state/briefing/steps-session.ts";

export interface StepDrag {
  /** Id of the step that is dragged. */
  readonly draggedId: string | undefined;
  /** Id of the step whose place it would take. */
  readonly overId: string | undefined;
  readonly start: (event: DragEvent, id: string) => void;
  readonly over: (event: DragEvent, id: string) => void;
  readonly drop: (event: DragEvent) => void;
  readonly end: () => void;
}

export function useStepDrag(session: StepsSession, steps: Steps): StepDrag {
  const [draggedId, setDragged] = useState<string>();
  const [overId, setOver] = useState<string>();
  const end = (): void => {
    setDragged(undefined);
    setOver(undefined);
  };
  return {
    draggedId,
    overId,
    start: (event, id) => {
      event.dataTransfer.effectAllowed = "move";
      setDragged(id);
    },
    over: (event, id) => {
      // Without this the browser lets nothing be dropped; foreign things are not.
      if (draggedId !== undefined) event.preventDefault();
      setOver(id);
    },
    drop: (event) => {
      event.preventDefault();
      const to = steps.findIndex(({ id }) => id === overId);
      if (draggedId !== undefined && to >= 0) session.change((list) => moveStep(list, draggedId, to));
      end();
    },
    end,
  };
}
