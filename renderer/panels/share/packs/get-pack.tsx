// Downloading a pack from a colleague: its address, its token, the progress.
import type { ReactNode } from "react";
import type { TokenKeeping } from "../../../../shared/contract/packs.ts";
import { useViewer, useViewerState } from "../../../viewer-context.ts";
import { ShowOnMapButton } from "../../controls/button.tsx";
import { TaskRow } from "../../controls/task-row.tsx";
import { AddressForm } from "./address-form.tsx";

const tokenWords: Readonly<Record<TokenKeeping, string>> = {
  keychain: "The token is stored in this computer's keychain, for later updates.",
  memory: "The token is stored until Echotop ends, because this computer has no keychain.",
};

/** Number of downloads shown, newest first. */
const shownTasks = 3;

export function GetPack({ tokens }: { readonly tokens: TokenKeeping }): ReactNode {
  const { actions } = useViewer();
  const tasks = useViewerState((state) => state.tasks);
  const downloads = tasks.filter(({ kind }) => kind === "pack-get").slice(0, shownTasks);
  return (
    <>
      <p>Your colleague creates both with “Invite”. The whole download is checked before it is shown.</p>
      <AddressForm
        action="Download"
        name="Download pack"
        needsToken={false}
        words={`A public pack needs no token. ${tokenWords[tokens]}`}
        onSubmit={async (address, token) =>
          (await actions.act("packs.get", { address, ...(token !== "" && { token }) })) !== undefined
        }
      />
      {downloads.map((task) => (
        <div key={task.id} className="pack-download">
          <TaskRow task={task} />
          {task.state === "done" && <ShowOnMapButton eventId={task.eventId} />}
        </div>
      ))}
    </>
  );
}
