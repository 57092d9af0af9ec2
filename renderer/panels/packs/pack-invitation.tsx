// An invitation: what to hand to a colleague. It lives in this component alone and is gone with it.
import { useEffect, useRef, type ReactNode } from "react";
import type { Invitation } from "../../../shared/contract/packs.ts";
import { instantWords } from "../../text/format.ts";
import { CopyField } from "../controls/copy-field.tsx";

export interface PackInvitationProps {
  readonly label: string;
  readonly invitation: Invitation;
  readonly onDone: () => void;
}

export function PackInvitation({ label, invitation, onDone }: PackInvitationProps): ReactNode {
  const block = useRef<HTMLDivElement>(null);
  const { address, token, expiresAt } = invitation;
  const isPairingCode = address.includes("#");
  // The button that made it is gone; whoever pressed it goes on here.
  useEffect(() => {
    block.current?.focus();
    block.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={block} className="invitation" role="group" aria-label={`Invitation to ${label}`} tabIndex={-1}>
      <CopyField
        name={isPairingCode ? "Pairing code" : "Address"}
        value={address}
        words={
          isPairingCode
            ? "The address with the fingerprint of this Echotop’s certificate: it makes sure that nobody else answers."
            : address.startsWith("http:")
              ? "For this computer only. With sharing on the local network on, an invitation is for others too."
              : undefined
        }
      />
      <CopyField name="Token" value={token} />
      <p>
        Valid until {instantWords(expiresAt)}, for reading this pack alone. <strong>Shown once:</strong>{" "}
        Echotop keeps no copy of the token.
      </p>
      <button type="button" className="button small" onClick={onDone}>
        Done, hide it
      </button>
    </div>
  );
}
