// Below the list of events: the tasks under way, and the buttons that open the panels for acting on the selected one.
import type { ReactNode } from "react";
import type { Task } from "../../../shared/contract/task.ts";
import { selectSelectedEvent } from "../../state/selectors.ts";
import { isUnderWay, offersActions } from "../../state/slices/tasks-slice.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { SideFlyout } from "../controls/flyout.tsx";
import { CloseIcon } from "../controls/icons.tsx";
import { TaskRow } from "../controls/task-row.tsx";
import { SharePanel } from "../share/share-panel.tsx";
import { EventActions } from "./event-actions.tsx";
import { ReadOnlyMark } from "./read-only-mark.tsx";

export function EventBar(): ReactNode {
  const access = useViewerState((state) => state.access);
  const tasks = useViewerState((state) => state.tasks);
  const selected = useViewerState(selectSelectedEvent);
  if (!offersActions(access)) return null;
  return (
    <div className="event-bar" role="group" aria-label="Event actions">
      <div className="event-tasks">
        {toShownTasks(tasks, selected?.id).map((task) => (
          <TaskRow key={task.id} task={task} />
        ))}
        <ActionNote />
      </div>
      <div className="event-bar-buttons">
        {selected && (
          <SideFlyout id="event-actions" title={`Actions for ${selected.label}`} label="Replay, archive…">
            <EventActions event={selected} />
          </SideFlyout>
        )}
        <SideFlyout id="share" title="Share" label="Share">
          <SharePanel />
        </SideFlyout>
        <ReadOnlyMark />
      </div>
    </div>
  );
}

/** Returns running tasks, newest first, and the last task of the selected event. */
function toShownTasks(tasks: readonly Task[], selectedId: string | undefined): readonly Task[] {
  const newestOfSelected = tasks.find(({ eventId }) => eventId === selectedId);
  return tasks.filter((task) => isUnderWay(task) || task === newestOfSelected).slice(0, 4);
}

function ActionNote(): ReactNode {
  const { store } = useViewer();
  const note = useViewerState((state) => state.actionNote);
  const adding = useViewerState((state) => state.addingFiles);
  return (
    <div role="status">
      {adding && (
        <p className="quiet">Adding files{adding.total > 0 ? `: ${adding.done} of ${adding.total}` : "…"}</p>
      )}
      {note && (
        <p className={`action-note ${note.tone}`}>
          <span>{note.text}</span>
          <Button
            className="icon-button tiny"
            name="Dismiss message"
            onPress={() => {
              store.getState().setActionNote(undefined);
            }}
          >
            <CloseIcon />
          </Button>
        </p>
      )}
    </div>
  );
}
