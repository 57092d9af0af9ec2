// The message of the map while it has nothing to show: the reason, and what to do. Never covers a picture. Waiting for
// a picture is said at the edge of the map.
import type { ReactNode } from "react";
import { selectLink } from "../../state/freshness.ts";
import { selectDrawn, selectSelectedEvent } from "../../state/selectors.ts";
import { findTask, isUnderWay } from "../../state/slices/tasks-slice.ts";
import type { ViewerState } from "../../state/store.ts";
import { problemWords, taskWords } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";

export interface Message {
  readonly title: string;
  readonly advice: string;
  /** A command for the person to type. */
  readonly command?: string | undefined;
  readonly canRetry?: boolean;
  /** True if there is nothing to do but wait. */
  readonly isWaiting?: boolean;
}

const ingestCommand = "npm run -s echotop -- ingest --data DIR --event my-storm PATH…";

/** Returns undefined while there is a picture. */
export function findMessage(state: ViewerState): Message | undefined {
  if (selectDrawn(state)) return undefined;
  if (state.mapProblem !== undefined) return { title: "The map has a problem", advice: state.mapProblem };
  const problem = state.history.problem ?? state.events.problem;
  if (selectLink(state) === "offline") return { ...problemWords.unreachable, canRetry: true };
  if (problem) return { ...problemWords[problem], canRetry: true };
  if (state.events.phase === "loading") return { title: "Reading storm events", advice: "", isWaiting: true };
  if (state.events.list.length === 0) {
    return {
      title: "No storm events yet",
      advice: "Add MRMS files of hail size or composite reflectivity:",
      command: ingestCommand,
    };
  }
  const event = selectSelectedEvent(state);
  const label = event?.label ?? "";
  if (state.history.phase === "loading") return { title: "Reading frames", advice: label, isWaiting: true };
  if (state.history.revisions.length > 0)
    return { title: "Loading the picture", advice: label, isWaiting: true };
  const task = event && findTask(state.tasks, event.id);
  if (task && isUnderWay(task)) {
    return { title: `${taskWords[task.kind].doing} ${label}`, advice: task.message };
  }
  return {
    title: "No data yet",
    advice: `“${label}” has no frames yet. To download them:`,
    command: event && `npm run -s echotop -- fetch --data DIR --event ${event.id}`,
  };
}

export function MapMessage(): ReactNode {
  const { session } = useViewer();
  const message = useViewerState(findMessage);
  if (!message) return null;
  return (
    <section className={message.isWaiting ? "map-waiting" : "map-message"} aria-label="About the map">
      <h2>{message.title}</h2>
      {message.advice !== "" && <p>{message.advice}</p>}
      {message.command !== undefined && <code>{message.command}</code>}
      {message.canRetry && (
        <button type="button" className="button" onClick={session.retry}>
          Try again
        </button>
      )}
    </section>
  );
}
