// One task: what it does, its progress, and the buttons that pause, resume and stop it.
import type { ReactNode } from "react";
import type { Task } from "../../../shared/contract/task.ts";
import { isPackTask, isUnderWay, percentOf } from "../../state/slices/tasks-slice.ts";
import { taskStateWords, taskWords } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ActionButton } from "./button.tsx";
import { PauseIcon, PlayIcon, StopIcon } from "./icons.tsx";

export function TaskRow({ task }: { readonly task: Task }): ReactNode {
  const label = useViewerState(
    ({ events }) => events.list.find(({ id }) => id === task.eventId)?.label ?? task.eventId ?? "a pack",
  );
  const isFailed = task.state === "failed";
  const { doing, failed } = taskWords[task.kind];
  const title = `${isFailed ? failed : doing} ${label}`;
  return (
    <div className="task" role="group" aria-label={`${doing} ${label}`}>
      <div className="task-head">
        <span className={isFailed ? "task-label bad" : "task-label"} title={title}>
          {title}
        </span>
        <span className="quiet" role="status">
          {isUnderWay(task) ? toProgressWords(task) : taskStateWords[task.state]}
        </span>
      </div>
      {isUnderWay(task) ? (
        <TaskProgress task={task} label={label} />
      ) : (
        <p className={isFailed ? "task-message bad" : "task-message quiet"}>{task.message}</p>
      )}
    </div>
  );
}

function TaskProgress({ task, label }: { readonly task: Task; readonly label: string }): ReactNode {
  const { actions } = useViewer();
  const { id: taskId, progress, kind } = task;
  const isPaused = task.state === "paused";
  const doing = taskWords[kind].doing.toLowerCase();
  return (
    <div className="task-foot">
      <progress
        aria-label={`Progress of ${label}`}
        max={Math.max(progress.total, 1)}
        {...(progress.total > 0 && { value: progress.done, title: `${percentOf(task)}%` })}
      />
      {kind === "replay" && (
        <ActionButton
          className="icon-button tiny"
          name={`${isPaused ? "Resume" : "Pause"} replaying ${label}`}
          onPress={() => void actions.act(isPaused ? "tasks.resume" : "tasks.pause", { taskId })}
        >
          {isPaused ? <PlayIcon /> : <PauseIcon />}
        </ActionButton>
      )}
      <ActionButton
        className="icon-button tiny"
        name={`Stop ${doing} ${label}`}
        onPress={() => void actions.act("tasks.stop", { taskId })}
      >
        <StopIcon />
      </ActionButton>
    </div>
  );
}

/** The stages of a pack count different things: only a percentage makes sense there. */
function toProgressWords(task: Task): string {
  const { done, total } = task.progress;
  const count = total === 0 ? "" : isPackTask(task) ? `${percentOf(task)}%` : `${done} of ${total}`;
  return task.state === "paused" ? `Paused ${count}`.trim() : count || "Starting";
}
