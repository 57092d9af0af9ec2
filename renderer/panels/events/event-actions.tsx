// Actions for the selected event: replay it, download what is missing, archive it.
import { useState, type ReactNode } from "react";
import type { StormEvent } from "../../../shared/contract/index.ts";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import { findTask, isUnderWay } from "../../state/slices/tasks-slice.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ActionButton, ConfirmButton } from "../controls/button.tsx";
import { Segmented } from "../controls/segmented.tsx";

const speeds = [
  { value: 1, label: "1×", name: "Original speed" },
  { value: 10, label: "10×", name: "Ten times as fast" },
  { value: 60, label: "60×", name: "One hour per minute" },
  { value: 600, label: "600×", name: "Ten hours per minute" },
] as const;

interface EventProps {
  readonly event: StormEvent;
}

export function EventActions({ event }: EventProps): ReactNode {
  const { actions } = useViewer();
  return (
    <>
      <Replay event={event} />
      {event.kind === "historical-event" && event.status === "active" && natureOf(event) === "benchmark" && (
        <Download event={event} />
      )}
      <h2>Archive</h2>
      <p>Locks this event permanently. Nothing is deleted.</p>
      <div className="button-row">
        <ConfirmButton
          key={event.id}
          action="Archive"
          confirm="Yes, archive permanently"
          cancel="Cancel"
          unavailable={event.status === "archived" ? "Already archived" : undefined}
          onConfirm={() => void actions.act("events.archive", { eventId: event.id })}
        />
      </div>
    </>
  );
}

function Replay({ event }: EventProps): ReactNode {
  const { actions } = useViewer();
  const [speed, setSpeed] = useState(10);
  const latest = useViewerState((state) => state.history.latestSequence);
  const updates =
    latest === 1
      ? "1 update as it"
      : latest === undefined
        ? "updates as they"
        : `all ${latest} updates as they`;
  return (
    <>
      <h2>Replay</h2>
      <p>Replays {updates} arrived, as a separate event</p>
      <div className="button-row">
        <Segmented legend="Replay speed" options={speeds} value={speed} onChange={setSpeed} />
        <ActionButton
          unavailable={latest === undefined ? "No frames yet" : undefined}
          onPress={() => void actions.replay({ eventId: event.id, speed })}
        >
          Start replay
        </ActionButton>
      </div>
    </>
  );
}

function Download({ event }: EventProps): ReactNode {
  const { actions } = useViewer();
  const task = useViewerState((state) => findTask(state.tasks, event.id));
  return (
    <>
      <h2>Download</h2>
      <p>Downloads what this event still lacks from the NOAA public bucket.</p>
      <div className="button-row">
        <ActionButton
          unavailable={task && isUnderWay(task) ? "Already downloading" : undefined}
          onPress={() => void actions.act("events.fetch", { eventId: event.id })}
        >
          Download missing files
        </ActionButton>
      </div>
    </>
  );
}
