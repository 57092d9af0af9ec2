// A quiet button in the top bar while there is a newer version of Echotop; it says what happens, and never acts by
// itself.
import type { ReactNode } from "react";
import { toUpdateSentence } from "../../../shared/actions/update-sentence.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { Flyout } from "../controls/flyout.tsx";

export function UpdateNotice(): ReactNode {
  const { actions } = useViewer();
  const update = useViewerState((state) => state.update);
  if (update.step !== "available" && update.step !== "downloading" && update.step !== "ready") return null;
  return (
    <Flyout
      id="update"
      title="Update"
      label="Update"
      name={update.step === "ready" ? "Update: ready" : "Update"}
      buttonClass="button small"
    >
      {/* In these steps the sentence does not name the running version. */}
      <p role="status">{toUpdateSentence(update, "")}</p>
      {update.step === "available" && update.canInstall && (
        <Button onPress={() => void actions.ask("updates.install", {})}>Install when I quit</Button>
      )}
    </Flyout>
  );
}
