// The steps of a briefing beside the map, before the show: recorded from the view on screen, put in order, started.
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { stepLimits } from "../../../shared/views/briefing-steps.ts";
import { selectSelectedEvent, selectShownRevision } from "../../state/selectors.ts";
import { mayAct } from "../../state/slices/tasks-slice.ts";
import { keepingWords, newStepTitle, stepsPhaseWords } from "../../text/briefing-mode-text.ts";
import { useBriefing, useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { CloseIcon, PlusIcon } from "../controls/icons.tsx";
import { openPresenterWindow } from "./presenter-window.ts";
import { useFocusInside } from "../hooks/use-focus-inside.ts";
import { StepItem } from "./step-item.tsx";
import { useStepDrag } from "./use-step-drag.ts";

export function StepsPanel(): ReactNode {
  const { briefing } = useViewer();
  const label = useViewerState((state) => selectSelectedEvent(state)?.label);
  const panel = useRef<HTMLElement>(null);
  useFocusInside(panel);
  const close = (): void => {
    briefing.setOpen(false);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    close();
  };
  return (
    <aside ref={panel} className="steps-panel" aria-label="Briefing" tabIndex={-1} onKeyDown={press}>
      <header className="steps-head">
        <h2>Briefing</h2>
        <span className="caption">{label}</span>
        <Button className="icon-button tiny" name="Close briefing" onPress={close}>
          <CloseIcon />
        </Button>
      </header>
      <StepList />
      <StepNotes />
      <footer className="steps-foot">
        <AddStep />
        <Start />
      </footer>
    </aside>
  );
}

function StepList(): ReactNode {
  const { briefing } = useViewer();
  const steps = useBriefing((state) => state.steps);
  const phase = useBriefing((state) => state.phase);
  const chosenId = useBriefing((state) => state.chosenId);
  const list = useRef<HTMLOListElement>(null);
  const drag = useStepDrag(briefing.steps, steps);
  // A new step comes into view.
  useEffect(() => {
    list.current?.querySelector('[data-chosen="true"]')?.scrollIntoView({ block: "nearest" });
  }, [chosenId]);
  return (
    <div className="steps-scroll">
      {steps.length === 0 && <p className="steps-empty quiet">{stepsPhaseWords[phase]}</p>}
      {phase === "failed" && <Button onPress={briefing.steps.retry}>Try again</Button>}
      <ol ref={list} className="steps-list" aria-label="Steps">
        {steps.map((step, index) => (
          <StepItem
            key={step.id}
            {...{ step, index, drag }}
            count={steps.length}
            isChosen={step.id === chosenId}
          />
        ))}
      </ol>
    </div>
  );
}

/** Says how the steps are kept, and what differed when one was opened. */
function StepNotes(): ReactNode {
  const { briefing } = useViewer();
  const keeping = useBriefing((state) => state.keeping);
  const differences = useBriefing((state) => state.differences);
  const hasSteps = useBriefing(({ steps }) => steps.length > 0);
  const isInPage = useViewerState((state) => !mayAct(state.access));
  const { settle, retry } = briefing.steps;
  return (
    <div className="steps-notes">
      {differences.map(({ sentence }) => (
        <p key={sentence} className="warning">
          {sentence}
        </p>
      ))}
      <p
        className={keeping.kind === "conflict" || keeping.kind === "failed" ? "bad" : "caption"}
        role="status"
      >
        {(hasSteps || keeping.kind !== "kept") && keepingWords(keeping, isInPage)}
      </p>
      {keeping.kind === "conflict" && (
        <p className="steps-choice">
          <Button onPress={() => void settle("stored")}>Show theirs</Button>
          <Button onPress={() => void settle("mine")}>Keep mine</Button>
        </p>
      )}
      {keeping.kind === "failed" && <Button onPress={retry}>Try again</Button>}
    </div>
  );
}

function AddStep(): ReactNode {
  const { briefing } = useViewer();
  const label = useViewerState(({ pins, chosenPin }) => pins[chosenPin]?.label);
  const revision = useViewerState(selectShownRevision);
  const isFull = useBriefing(({ steps }) => steps.length >= stepLimits.steps);
  const isReady = useBriefing(({ phase }) => phase === "ready");
  return (
    <Button
      className="button"
      unavailable={
        isFull
          ? `A briefing has at most ${stepLimits.steps} steps`
          : isReady && revision
            ? undefined
            : "Nothing is on the map yet"
      }
      onPress={() => {
        briefing.addStep(newStepTitle(label, revision));
      }}
    >
      <PlusIcon />
      Add step
    </Button>
  );
}

/** Freezes the picture, opens the presenter's window, starts the show. */
function Start(): ReactNode {
  const { briefing, store } = useViewer();
  const revision = useViewerState(selectShownRevision);
  const isFrozen = useViewerState((state) => state.knownAt !== undefined);
  const title = useViewerState((state) => selectSelectedEvent(state)?.label ?? "");
  return (
    <>
      <button
        type="button"
        className="button"
        aria-pressed={isFrozen}
        title="Hide what is published from now on; the show begins frozen in any case"
        onClick={() => {
          if (isFrozen) store.getState().backToNow();
          else store.getState().freeze();
        }}
      >
        Freeze
      </button>
      <button
        type="button"
        className="button"
        title="Open notes, next step and clock for your other screen (P in the show)"
        onClick={() => {
          openPresenterWindow(briefing);
        }}
      >
        Presenter window
      </button>
      <Button
        className="button steps-start"
        unavailable={revision ? undefined : "Nothing is on the map yet"}
        onPress={() => {
          briefing.start(title);
        }}
      >
        Start
      </Button>
    </>
  );
}
