// One step of the list: a press opens its view; the chosen one shows its title and notes, and what can be done with it.
import { useState, type KeyboardEvent, type ReactNode } from "react";
import { StepNotes, StepTitle, type BriefingStep } from "../../../shared/views/briefing-steps.ts";
import { changeStep, moveStep, removeStep } from "../../state/briefing/steps-edit.ts";
import { useViewer } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { CloseIcon, DownIcon, UpIcon } from "../controls/icons.tsx";
import type { StepDrag } from "./use-step-drag.ts";

export interface StepItemProps {
  readonly step: BriefingStep;
  readonly index: number;
  readonly count: number;
  readonly isChosen: boolean;
  readonly drag: StepDrag;
}

export function StepItem({ step, index, count, isChosen, drag }: StepItemProps): ReactNode {
  const { briefing } = useViewer();
  const { id, title } = step;
  const [isAsking, setAsking] = useState(false);
  const move = (by: number): void => {
    briefing.steps.change((steps) => moveStep(steps, id, index + by));
  };
  const press = (event: KeyboardEvent): void => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || by === undefined) return;
    event.preventDefault();
    move(by);
  };
  return (
    <li
      className="step"
      data-chosen={isChosen}
      data-dragged={drag.draggedId === id}
      data-target={drag.overId === id && drag.draggedId !== id}
      onDragOver={(event) => {
        drag.over(event, id);
      }}
      onDrop={drag.drop}
      onKeyDown={press}
    >
      <div
        className="step-head"
        draggable
        onDragStart={(event) => {
          drag.start(event, id);
        }}
        onDragEnd={drag.end}
      >
        <button
          type="button"
          className="step-open"
          aria-current={isChosen ? "step" : undefined}
          title="Open this step (Alt+↑, Alt+↓ move it)"
          onClick={() => void briefing.openStep(step)}
        >
          <span className="step-number">{index + 1}</span>
          <span className="step-title">{title}</span>
        </button>
        {isChosen && (
          <>
            <Button
              className="icon-button tiny"
              name={`Move up: ${title}`}
              unavailable={index === 0 ? "It is the first step" : undefined}
              onPress={() => {
                move(-1);
              }}
            >
              <UpIcon />
            </Button>
            <Button
              className="icon-button tiny"
              name={`Move down: ${title}`}
              unavailable={index === count - 1 ? "It is the last step" : undefined}
              onPress={() => {
                move(1);
              }}
            >
              <DownIcon />
            </Button>
            <Button
              className="icon-button tiny"
              name={`Remove: ${title}`}
              isOpen={isAsking}
              onPress={() => {
                setAsking(!isAsking);
              }}
            >
              <CloseIcon />
            </Button>
          </>
        )}
      </div>
      {isChosen && isAsking && (
        <p className="steps-choice" role="alert">
          Remove this step?
          <Button
            onPress={() => {
              briefing.steps.change((steps) => removeStep(steps, id));
            }}
          >
            Remove
          </Button>
          <Button
            onPress={() => {
              setAsking(false);
            }}
          >
            Keep
          </Button>
        </p>
      )}
      {isChosen && <StepFields step={step} />}
    </li>
  );
}

/** The title for the room and the notes for the presenter. Both are kept when the person leaves the field. */
function StepFields({ step }: { readonly step: BriefingStep }): ReactNode {
  const { briefing } = useViewer();
  const keep = (change: Partial<Pick<BriefingStep, "title" | "notes">>): void => {
    briefing.steps.change((steps) => changeStep(steps, step.id, change));
  };
  return (
    <div className="step-fields">
      <KeptField
        name="Title"
        value={step.title}
        problemOf={(value) => StepTitle.safeParse(value).error?.issues[0]?.message}
        onKeep={(title) => {
          keep({ title });
        }}
      />
      <KeptField
        name="Notes"
        isLong
        value={step.notes}
        problemOf={(value) => StepNotes.safeParse(value).error?.issues[0]?.message}
        onKeep={(notes) => {
          keep({ notes });
        }}
      />
    </div>
  );
}

interface KeptFieldProps {
  readonly name: string;
  readonly isLong?: boolean;
  readonly value: string;
  /** Returns why a value cannot be kept; undefined if it can. */
  readonly problemOf: (value: string) => string | undefined;
  readonly onKeep: (value: string) => void;
}

function KeptField({ name, isLong = false, value, problemOf, onKeep }: KeptFieldProps): ReactNode {
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? value;
  const problem = problemOf(shown);
  const keep = (): void => {
    if (typed !== undefined && typed !== value && problem === undefined) onKeep(typed);
    if (problem === undefined) setTyped(undefined);
  };
  /** Escape leaves the field, and keeps what was typed; the panel stays. */
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === "Enter" && !isLong) keep();
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.currentTarget.closest(".step")?.querySelector<HTMLElement>(".step-open")?.focus();
  };
  const field = {
    "aria-label": name,
    "aria-invalid": problem !== undefined,
    className: "field",
    value: shown,
    onBlur: keep,
    onKeyDown: press,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => {
      setTyped(target.value);
    },
  };
  return (
    <>
      {isLong ? (
        <textarea {...field} rows={3} placeholder="Notes, for you alone" />
      ) : (
        <input {...field} type="text" autoComplete="off" />
      )}
      {problem !== undefined && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
