// Keeping the token of one pack no longer, with a second question in the button itself.
import { useState, type ReactNode } from "react";
import type { Pack } from "../../../shared/contract/packs.ts";
import { useViewer } from "../../viewer-context.ts";

/** Asks once more in the button itself: a token is shown once, and whoever gave it has to make another. */
export function ForgetToken({ pack }: { readonly pack: Pack }): ReactNode {
  const { actions } = useViewer();
  const [asked, setAsked] = useState(false);
  return (
    <button
      type="button"
      className="link"
      aria-label={asked ? `Yes, forget the token of ${pack.label}` : `Forget the token of ${pack.label}`}
      onClick={() => {
        if (asked) void actions.act("packs.forgetToken", { eventId: pack.eventId });
        setAsked(!asked);
      }}
      onBlur={() => {
        setAsked(false);
      }}
    >
      {asked ? "Yes, forget it" : "Forget token"}
    </button>
  );
}
