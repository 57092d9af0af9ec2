// A loop that is being saved, in the dialog and among the tasks of the left panel.
import type { ReactNode } from "react";
import { cancelLoop } from "../../export/loops/loop-session.ts";
import { loopProgressWords, madeBeforeWords, outcomeWords } from "../../text/loop-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { CloseIcon, StopIcon } from "../controls/icons.tsx";

/** The bar with the count, and the button that stops. */
export function LoopProgress(): ReactNode {
  const { store } = useViewer();
  const saving = useViewerState((state) => state.loopSaving);
  if (!saving) return null;
  return (
    <div className="loop-progress">
      <progress
        aria-label={`Saving loop, ${saving.done} of ${saving.total}`}
        max={saving.total}
        value={saving.done}
      />
      <span className="quiet">{loopProgressWords(saving)}</span>
      <Button
        name="Cancel saving the loop"
        onPress={() => {
          cancelLoop(store);
        }}
      >
        Cancel
      </Button>
    </div>
  );
}

/** Says what became of the last loop, and whether the event has gone on since its frames were chosen. */
export function LoopOutcomeNote(): ReactNode {
  const outcome = useViewerState((state) => state.loopOutcome);
  const madeBefore = useMadeBefore();
  const words = [outcome && outcomeWords(outcome), madeBefore].filter(Boolean).join(" · ");
  return (
    <p role="status" className={outcome?.kind === "failed" ? "loop-note bad" : "loop-note quiet"}>
      {words}
    </p>
  );
}

/** The row of the left panel while the dialog is closed. */
export function LoopTask(): ReactNode {
  const { store } = useViewer();
  const saving = useViewerState((state) => state.loopSaving);
  const outcome = useViewerState((state) => state.loopOutcome);
  const isOpen = useViewerState((state) => state.flyout === "export");
  const madeBefore = useMadeBefore();
  if (isOpen || (!saving && !outcome)) return null;
  return (
    <div className="loop-task task" role="group" aria-label="Saving loop">
      {saving ? (
        <>
          <div className="task-head">
            <span className="task-label" title={saving.fileName}>
              Saving loop
            </span>
            <span className="quiet" role="status">
              {loopProgressWords(saving)}
            </span>
          </div>
          <div className="task-foot">
            <progress aria-label="Progress of the loop" max={saving.total} value={saving.done} />
            <Button
              className="icon-button tiny"
              name="Cancel saving the loop"
              onPress={() => {
                cancelLoop(store);
              }}
            >
              <StopIcon />
            </Button>
          </div>
          {madeBefore && <p className="task-message quiet">{madeBefore}</p>}
        </>
      ) : (
        <div className="task-foot">
          <LoopOutcomeNote />
          <Button
            className="icon-button tiny"
            name="Dismiss message"
            onPress={() => {
              store.getState().setLoopOutcome(undefined);
            }}
          >
            <CloseIcon />
          </Button>
        </div>
      )}
    </div>
  );
}

function useMadeBefore(): string | undefined {
  return useViewerState(({ loopSaving, loopOutcome, selectedEventId, history }) => {
    const loop = loopSaving ?? (loopOutcome?.kind === "saved" ? loopOutcome : undefined);
    return loop && loop.eventId === selectedEventId
      ? madeBeforeWords(loop.newest, history.latestSequence)
      : undefined;
  });
}
