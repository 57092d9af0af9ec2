// What can be done with the chosen event: replay it as it happened, fetch what is missing, make it read-only for good.
import { useState, type ReactNode } from "react";
import type { StormEvent } from "../../../shared/contract/index.ts";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import { findTask, isUnderWay } from "../../state/slices/tasks-slice.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ActionButton } from "../controls/action-button.tsx";
import { ReadOnlyNote } from "../controls/read-only-note.tsx";
import { Segmented } from "../controls/segmented.tsx";

const speeds = [
  { value: 1, label: "1×", name: "As fast as it happened" },
  { value: 10, label: "10×", name: "Ten times as fast" },
  { value: 60, label: "60×", name: "An hour a minute" },
  { value: 600, label: "600×", name: "Ten hours a minute" },
] as const;

interface EventProps {
  readonly event: StormEvent;
}

export function EventActions({ event }: EventProps): ReactNode {
  return (
    <>
      <ReadOnlyNote />
      <Replay event={event} />
      {event.kind === "historical-event" && event.status === "active" && natureOf(event) === "benchmark" && (
        <Fetch event={event} />
      )}
      <Archive key={event.id} event={event} />
    </>
  );
}

function Replay({ event }: EventProps): ReactNode {
  const { actions } = useViewer();
  const [speed, setSpeed] = useState(10);
  const latest = useViewerState((state) => state.history.latestSequence);
  const unavailable = latest === undefined ? "It has no revision yet." : undefined;
  return (
    <>
      <h2>Replay as it happened</h2>
      <p>
        {latest === undefined
          ? "Its revisions are"
          : `${latest} ${latest === 1 ? "revision is" : "revisions are"}`}{" "}
        published again in the order of the first time, late corrections included, as an event of its own.
      </p>
      <div className="button-row">
        <Segmented legend="Replay speed" options={speeds} value={speed} onChange={setSpeed} />
        <ActionButton
          unavailable={unavailable}
          onPress={() => void actions.replay({ eventId: event.id, speed })}
        >
          Start replay
        </ActionButton>
      </div>
    </>
  );
}

function Fetch({ event }: EventProps): ReactNode {
  const { actions } = useViewer();
  const task = useViewerState((state) => findTask(state.tasks, event.id));
  const unavailable = task && isUnderWay(task) ? "It is being fetched." : undefined;
  return (
    <>
      <h2>Fetch</h2>
      <p>Asks NOAA’s public bucket for what the window still lacks.</p>
      <div className="button-row">
        <ActionButton
          unavailable={unavailable}
          onPress={() => void actions.act("events.fetch", { eventId: event.id })}
        >
          Fetch what is missing
        </ActionButton>
      </div>
    </>
  );
}

/** Asks once more in the button itself, because there is no way back. */
function Archive({ event }: EventProps): ReactNode {
  const { actions } = useViewer();
  const [asked, setAsked] = useState(false);
  const unavailable = event.status === "archived" ? "It is archived already." : undefined;
  return (
    <>
      <h2>Archive</h2>
      <p>Makes the event read-only for good. Nothing is removed.</p>
      <div className="button-row">
        <ActionButton
          unavailable={unavailable}
          onPress={() => {
            if (asked) void actions.act("events.archive", { eventId: event.id });
            setAsked(!asked);
          }}
        >
          {asked ? "Yes, archive for good" : "Archive"}
        </ActionButton>
        {asked && (
          <button
            type="button"
            className="link"
            onClick={() => {
              setAsked(false);
            }}
          >
            Leave it as it is
          </button>
        )}
      </div>
    </>
  );
}
