// Ending the sharing of one pack, with a second question in the button itself.
import { useState, type ReactNode } from "react";
import type { Pack } from "../../../shared/contract/packs.ts";
import { useViewer } from "../../viewer-context.ts";
import { ActionButton } from "../controls/action-button.tsx";
import { findBusyReason, usePackTask } from "./pack-task.ts";

/** Asks once more in the button itself: whoever was invited finds nothing there any more. */
export function EndSharing({ pack }: { readonly pack: Pack }): ReactNode {
  const { actions } = useViewer();
  const [asked, setAsked] = useState(false);
  const task = usePackTask(pack);
  return (
    <>
      <ActionButton
        name={asked ? `Yes, end sharing ${pack.label}` : `End sharing ${pack.label}`}
        unavailable={findBusyReason(pack, task)}
        onPress={() => {
          if (asked) void actions.act("packs.unshare", { eventId: pack.eventId });
          setAsked(!asked);
        }}
      >
        {asked ? "Yes, end sharing" : "End sharing"}
      </ActionButton>
      {asked && (
        <>
          <button
            type="button"
            className="link"
            onClick={() => {
              setAsked(false);
            }}
          >
            Leave it shared
          </button>
          <span className="caption row-words">Nobody can get it from here any more. The event stays.</span>
        </>
      )}
    </>
  );
}
