// Getting a pack from a colleague: where it is, what opens it, and how far it has come.
import type { ReactNode } from "react";
import type { TokenKeeping } from "../../../shared/contract/packs.ts";
import type { Task } from "../../../shared/contract/task.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { TaskRow } from "../controls/task-row.tsx";
import { AddressForm } from "./address-form.tsx";

const tokenWords: Readonly<Record<TokenKeeping, string>> = {
  keychain: "The token is kept in this computer’s keychain, for getting what is new later.",
  memory:
    "The token is kept until Echotop ends, for there is no keychain here; after that you will be asked again.",
};

/** So many of the newest. */
const shownTasks = 3;

export function GetPack({ tokens }: { readonly tokens: TokenKeeping }): ReactNode {
  const { actions } = useViewer();
  const tasks = useViewerState((state) => state.tasks);
  const gettings = tasks.filter(({ kind }) => kind === "pack-get").slice(0, shownTasks);
  return (
    <>
      <p>
        Your colleague makes both with “Invite”. What you get is checked as a whole before any of it is shown.
      </p>
      <AddressForm
        action="Get"
        name="Get pack"
        needsToken={false}
        words={`A pack that is open to everybody needs no token. ${tokenWords[tokens]}`}
        onSubmit={async (address, token) => {
          const started = await actions.act("packs.get", { address, ...(token !== "" && { token }) });
          return started !== undefined;
        }}
      />
      {gettings.map((task) => (
        <Getting key={task.id} task={task} />
      ))}
    </>
  );
}

function Getting({ task }: { readonly task: Task }): ReactNode {
  const { store } = useViewer();
  const event = useViewerState(({ events }) => events.list.find(({ id }) => id === task.eventId));
  const selected = useViewerState((state) => state.selectedEventId === task.eventId);
  return (
    <div className="getting">
      <TaskRow task={task} />
      {task.state === "done" && event && !selected && (
        <button
          type="button"
          className="button small"
          aria-label={`Show on the map: ${event.label}`}
          onClick={() => {
            store.getState().chooseEvent(event.id);
          }}
        >
          Show on the map
        </button>
      )}
    </div>
  );
}
