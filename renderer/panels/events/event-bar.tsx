// Below the list of events: what can be done about events, and what is being done.
import type { ReactNode } from "react";
import type { Task } from "../../../shared/contract/task.ts";
import { selectSelectedEvent } from "../../state/selectors.ts";
import { isUnderWay } from "../../state/slices/tasks-slice.ts";
import { readOnlyWords } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { AddEvents } from "./add-events.tsx";
import { BriefingsPanel } from "../briefings/briefings-panel.tsx";
import { EventActions } from "./event-actions.tsx";
import { PlusIcon, CloseIcon } from "../controls/icons.tsx";
import { PacksPanel } from "../packs/packs-panel.tsx";
import { SideFlyout } from "../controls/side-flyout.tsx";
import { TaskRow } from "../controls/task-row.tsx";

export function EventBar(): ReactNode {
  const { actions } = useViewer();
  const access = useViewerState((state) => state.access);
  const tasks = useViewerState((state) => state.tasks);
  const selected = useViewerState(selectSelectedEvent);
  return (
    <div className="event-bar" role="group" aria-label="What can be done about events">
      <div className="event-tasks">
        {toShownTasks(tasks, selected?.id).map((task) => (
          <TaskRow key={task.id} task={task} />
        ))}
        <ActionNote />
      </div>
      <div className="event-bar-buttons">
        <SideFlyout
          flyout="add-events"
          title="Register or fetch"
          onOpen={actions.readKnownEvents}
          name="Add events"
          label={
            <>
              <PlusIcon />
              Add
            </>
          }
        >
          <AddEvents />
        </SideFlyout>
        {selected && (
          <SideFlyout flyout="event-actions" title={`Actions of ${selected.label}`} label="Replay, archive…">
            <EventActions event={selected} />
          </SideFlyout>
        )}
        <SideFlyout flyout="packs" title="Packs" label="Packs">
          <PacksPanel />
        </SideFlyout>
        <SideFlyout flyout="briefings" title="Briefings" label="Briefings">
          <BriefingsPanel />
        </SideFlyout>
        {readOnlyWords[access] !== undefined && (
          <span className="read-only-mark" title={readOnlyWords[access]}>
            read-only
          </span>
        )}
      </div>
    </div>
  );
}

/** What runs, newest first, and how the chosen event's last task ended. */
function toShownTasks(tasks: readonly Task[], selectedId: string | undefined): readonly Task[] {
  const newestOfSelected = tasks.find(({ eventId }) => eventId === selectedId);
  return tasks.filter((task) => isUnderWay(task) || task === newestOfSelected).slice(0, 4);
}

function ActionNote(): ReactNode {
  const { store } = useViewer();
  const note = useViewerState((state) => state.actionNote);
  const adding = useViewerState((state) => state.addingFiles);
  return (
    <div role="status" className="action-notes">
      {adding && (
        <p className="quiet">Adding files{adding.total > 0 ? `: ${adding.done} of ${adding.total}` : "…"}</p>
      )}
      {note && (
        <p className={`action-note ${note.tone}`}>
          <span>{note.text}</span>
          <button
            type="button"
            className="icon-button tiny"
            aria-label="Put this message away"
            onClick={() => {
              store.getState().setActionNote(undefined);
            }}
          >
            <CloseIcon />
          </button>
        </p>
      )}
    </div>
  );
}
