// One task: what it does, how far it is, and the buttons that pause, resume and stop it.
import type { ReactNode } from "react";
import type { Task } from "../../../shared/contract/task.ts";
import { isPackTask, isUnderWay, percentOf } from "../../state/slices/tasks-slice.ts";
import { taskKindWords, taskStateWords } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ActionButton } from "./action-button.tsx";
import { PauseIcon, PlayIcon, StopIcon } from "./icons.tsx";

export function TaskRow({ task }: { task: Task }): ReactNode {
  const { actions } = useViewer();
  const label = useViewerState(
    ({ events }) => events.list.find(({ id }) => id === task.eventId)?.label ?? task.eventId ?? "a pack",
  );
  const percent = percentOf(task);
  const { done, total } = task.progress;
  const taskId = task.id;
  const words = isUnderWay(task) ? toProgressWords(task) : taskStateWords[task.state];
  return (
    <div className="task" role="group" aria-label={`${taskKindWords[task.kind]} ${label}`}>
      <div className="task-head">
        <span className="task-label" title={label}>
          {taskKindWords[task.kind]} {label}
        </span>
        <span className={task.state === "failed" ? "bad" : "quiet"} role="status">
          {words}
        </span>
      </div>
      {isUnderWay(task) ? (
        <div className="task-foot">
          <progress
            aria-label={`Progress of ${label}`}
            max={Math.max(total, 1)}
            {...(total > 0 && { value: done })}
            title={percent === undefined ? undefined : `${percent} %`}
          />
          {task.kind === "replay" && <PauseButton task={task} label={label} />}
          <ActionButton
            className="icon-button tiny"
            name={`Stop ${taskKindWords[task.kind].toLowerCase()} ${label}`}
            onPress={() => void actions.act("tasks.stop", { taskId })}
          >
            <StopIcon />
          </ActionButton>
        </div>
      ) : (
        <p className={task.state === "failed" ? "task-message bad" : "task-message quiet"}>{task.message}</p>
      )}
    </div>
  );
}

function PauseButton({ task, label }: { task: Task; label: string }): ReactNode {
  const { actions } = useViewer();
  const paused = task.state === "paused";
  return (
    <ActionButton
      className="icon-button tiny"
      name={paused ? `Resume replaying ${label}` : `Pause replaying ${label}`}
      onPress={() => void actions.act(paused ? "tasks.resume" : "tasks.pause", { taskId: task.id })}
    >
      {paused ? <PlayIcon /> : <PauseIcon />}
    </ActionButton>
  );
}

/** A pack's stages count different things, so that its share of the whole is all that can be said. */
function toProgressWords(task: Task): string {
  const { state, progress } = task;
  const { done, total } = progress;
  const count = total === 0 ? "" : isPackTask(task) ? `${percentOf(task)} %` : `${done} of ${total}`;
  return state === "paused" ? `paused ${count}`.trim() : count || "starting";
}
