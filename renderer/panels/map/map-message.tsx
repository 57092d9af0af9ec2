// What the map says when it has nothing to show: why, and the way on. Never over a picture: that stays and says its age.
import type { ReactNode } from "react";
import { selectLink } from "../../state/freshness.ts";
import { selectDrawn, selectSelectedEvent } from "../../state/selectors.ts";
import type { ViewerState } from "../../state/store.ts";
import { findTask, isUnderWay } from "../../state/slices/tasks-slice.ts";
import { ingestHint, problemWords, taskKindWords } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";

export interface Message {
  readonly title: string;
  readonly advice: string;
  /** A command that a person may type. */
  readonly command?: string | undefined;
  readonly canRetry: boolean;
}

/** Undefined while there is a picture, or one is surely on its way. */
export function findMessage(state: ViewerState): Message | undefined {
  if (selectDrawn(state)) return undefined;
  if (state.mapProblem !== undefined) {
    return { title: "The map has a problem", advice: state.mapProblem, canRetry: false };
  }
  const problem = state.history.problem ?? state.events.problem;
  if (selectLink(state) === "offline") return { ...problemWords.unreachable, canRetry: true };
  if (problem) return { ...problemWords[problem], canRetry: true };
  if (state.events.phase === "loading") {
    return { title: "Reading the storm events", advice: "The map is ready.", canRetry: false };
  }
  if (state.events.list.length === 0) {
    return {
      title: "No storm events yet",
      advice: "Add MRMS files of hail size or composite reflectivity, and they appear here at once:",
      command: ingestHint,
      canRetry: false,
    };
  }
  const event = selectSelectedEvent(state);
  if (state.history.phase === "loading") {
    return { title: "Reading the revisions", advice: event?.label ?? "", canRetry: false };
  }
  if (state.history.revisions.length === 0) {
    const task = event && findTask(state.tasks, event.id);
    if (task && isUnderWay(task)) {
      return { title: `${taskKindWords[task.kind]} ${event.label}`, advice: task.message, canRetry: false };
    }
    return {
      title: "No data yet",
      advice: `“${event?.label ?? ""}” is registered and nothing has been published in it. To fill it:`,
      command: event && `npm run -s echotop -- fetch --data DIR --event ${event.id}`,
      canRetry: false,
    };
  }
  return { title: "Loading the picture", advice: event?.label ?? "", canRetry: false };
}

export function MapMessage(): ReactNode {
  const { session } = useViewer();
  const message = useViewerState(findMessage);
  if (!message) return null;
  return (
    <section className="map-message" aria-label="About the map">
      <h2>{message.title}</h2>
      {message.advice !== "" && <p>{message.advice}</p>}
      {message.command !== undefined && <code>{message.command}</code>}
      {message.canRetry && (
        <button type="button" className="button" onClick={session.retry}>
          Try again now
        </button>
      )}
    </section>
  );
}
