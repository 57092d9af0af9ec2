// The message of the map while it has nothing to show: the reason, and what to do. Never covers a picture. Waiting for
// a picture is said at the edge of the map.
import type { ReactNode } from "react";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import type { StormEvent } from "../../../shared/contract/index.ts";
import type { Task } from "../../../shared/contract/task.ts";
import { selectLink } from "../../state/reading/freshness.ts";
import { selectDrawn, selectSelectedEvent } from "../../state/selectors.ts";
import { findTask, isUnderWay, mayAct, offersActions } from "../../state/slices/tasks-slice.ts";
import type { ViewerState } from "../../state/store.ts";
import { problemWords, taskWords } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ActionButton, Button } from "../controls/button.tsx";
import { GoLive } from "../status/go-live.tsx";

/** Buttons of a message, in their order. */
export interface MessageButtons {
  readonly canReadAgain?: boolean;
  readonly canGoLive?: boolean;
  /** Task to start again. */
  readonly retriedTaskId?: string | undefined;
  /** Event to download. */
  readonly downloadId?: string | undefined;
  /** Event to remove. */
  readonly removeId?: string | undefined;
}

export interface Message extends MessageButtons {
  readonly title: string;
  readonly advice: string;
  /** True if there is nothing to do but wait. */
  readonly isWaiting?: boolean;
}

/** Returns undefined while there is a picture. */
export function findMessage(state: ViewerState): Message | undefined {
  if (selectDrawn(state)) return undefined;
  if (state.mapProblem !== undefined) return { title: "The map has a problem", advice: state.mapProblem };
  const problem = state.history.problem ?? state.events.problem;
  if (selectLink(state) === "offline") return { ...problemWords.unreachable, canReadAgain: true };
  if (problem) return { ...problemWords[problem], canReadAgain: true };
  if (state.events.phase === "loading") return { title: "Reading storm events", advice: "", isWaiting: true };
  if (state.events.list.length === 0) return toEmptyMessage(state);
  const event = selectSelectedEvent(state);
  const label = event?.label ?? "";
  if (state.history.phase === "loading") return { title: "Reading frames", advice: label, isWaiting: true };
  if (state.history.revisions.length > 0)
    return { title: "Loading the picture", advice: label, isWaiting: true };
  if (event && !offersActions(state.access)) {
    return { title: `${label} has no frames yet`, advice: "They appear here when the service has them." };
  }
  return event && toNoFramesMessage(event, findTask(state.tasks, event.id));
}

function toEmptyMessage({ access, live, feeds }: ViewerState): Message {
  const title = "No storm events yet";
  if (live?.status === "on" || feeds.list.length > 0)
    return {
      title: "Waiting for the first frame",
      advice: "The live feed is on; frames appear as they arrive.",
    };
  if (!mayAct(access)) return { title, advice: "They appear here when somebody adds them." };
  return { title, advice: "Go live, or add past events with “Add” above their list.", canGoLive: true };
}

function toNoFramesMessage(event: StormEvent, task: Task | undefined): Message {
  const { id, label } = event;
  if (task && isUnderWay(task)) {
    return { title: `${taskWords[task.kind].doing} ${label}`, advice: task.message };
  }
  if (task && task.state !== "done") {
    const { doing, failed } = taskWords[task.kind];
    const title = task.state === "failed" ? `${failed} ${label}` : `${doing} ${label} was stopped`;
    return { title, advice: task.message, retriedTaskId: task.id, removeId: id };
  }
  const canDownload =
    event.kind === "historical-event" && event.status === "active" && natureOf(event) === "benchmark";
  return {
    title: `${label} has no frames yet`,
    advice: canDownload ? "Download its files from NOAA, or remove it from the list." : "",
    downloadId: canDownload ? id : undefined,
    removeId: id,
  };
}

export function MapMessage(): ReactNode {
  const message = useViewerState(findMessage);
  if (!message) return null;
  return (
    <section className={message.isWaiting ? "map-waiting" : "map-message"} aria-label="About the map">
      <h2>{message.title}</h2>
      {message.advice !== "" && <p>{message.advice}</p>}
      <Buttons {...message} />
    </section>
  );
}

function Buttons(buttons: MessageButtons): ReactNode {
  const { session, actions } = useViewer();
  const { canReadAgain, canGoLive, retriedTaskId, downloadId, removeId } = buttons;
  if (Object.values({ canReadAgain, canGoLive, retriedTaskId, downloadId, removeId }).every((one) => !one))
    return null;
  return (
    <div className="button-row">
      {canReadAgain && (
        <Button className="button" onPress={session.retry}>
          Try again
        </Button>
      )}
      {canGoLive && <GoLive />}
      {retriedTaskId !== undefined && (
        <ActionButton
          className="button"
          onPress={() => void actions.act("tasks.retry", { taskId: retriedTaskId })}
        >
          Retry
        </ActionButton>
      )}
      {downloadId !== undefined && (
        <ActionButton
          className="button"
          onPress={() => void actions.act("events.fetch", { eventId: downloadId })}
        >
          Download
        </ActionButton>
      )}
      {removeId !== undefined && (
        <ActionButton className="button" onPress={() => void actions.removeEvent(removeId)}>
          Remove
        </ActionButton>
      )}
    </div>
  );
}
