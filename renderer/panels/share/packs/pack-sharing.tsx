// Sharing one pack: put it into a hosted repository, and invite a colleague to download it.
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { Invitation, Pack } from "../../../../shared/contract/packs.ts";
import { instantWords } from "../../../text/format.ts";
import { inviteChoices, shareWords } from "../../../text/pack-text.ts";
import { useViewer } from "../../../viewer-context.ts";
import { ActionButton, Button } from "../../controls/button.tsx";
import { CopyField } from "../../controls/fields.tsx";

export interface PackSharingProps {
  readonly pack: Pack;
  /** Reason why no task can begin on the pack now; undefined if one can. */
  readonly busy: string | undefined;
  /** Reason why nothing can be shared now; undefined if it can. */
  readonly obstacle: string | undefined;
}

export function PackSharing({ pack, busy, obstacle }: PackSharingProps): ReactNode {
  const { actions } = useViewer();
  const { eventId, label, shared } = pack;
  const [invitation, setInvitation] = useState<Invitation>();
  if (shared === null) {
    return (
      <div className="button-row">
        <ActionButton
          name={`Share ${label}`}
          unavailable={obstacle ?? busy}
          onPress={() => void actions.act("packs.share", { eventId })}
        >
          Share
        </ActionButton>
        <span className="caption row-words">Updates are included automatically</span>
      </div>
    );
  }
  return (
    <>
      <p className={shared.problem === null ? undefined : "warning"}>{shareWords(shared)}</p>
      {invitation === undefined ? (
        <Invite pack={pack} obstacle={obstacle} onInvite={setInvitation} />
      ) : (
        <PackInvitation
          label={label}
          invitation={invitation}
          onDone={() => {
            setInvitation(undefined);
          }}
        />
      )}
    </>
  );
}

interface InviteProps extends Pick<PackSharingProps, "pack" | "obstacle"> {
  readonly onInvite: (invitation: Invitation | undefined) => void;
}

function Invite({ pack: { eventId, label }, obstacle, onInvite }: InviteProps): ReactNode {
  const { actions } = useViewer();
  const [ttlSeconds, setTtlSeconds] = useState<number>(86_400);
  return (
    <div className="button-row">
      <ActionButton
        name={`Invite a colleague to download ${label}`}
        unavailable={obstacle}
        onPress={() => void actions.act("packs.invite", { eventId, ttlSeconds }).then(onInvite)}
      >
        Invite
      </ActionButton>
      <label className="row-words">
        for{" "}
        <select
          className="field select"
          aria-label="How long the invitation is valid"
          value={ttlSeconds}
          onChange={(event) => {
            setTtlSeconds(Number(event.target.value));
          }}
        >
          {inviteChoices.map(({ seconds, words }) => (
            <option key={seconds} value={seconds}>
              {words}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

interface PackInvitationProps {
  readonly label: string;
  readonly invitation: Invitation;
  readonly onDone: () => void;
}

/** The only place where the token of an invitation exists on screen. */
function PackInvitation({ label, invitation, onDone }: PackInvitationProps): ReactNode {
  const { store } = useViewer();
  const block = useRef<HTMLDivElement>(null);
  const { address, token, expiresAt } = invitation;
  const isPairingCode = address.includes("#");
  const isLocal = address.startsWith("http:");
  // The pressed button is gone: focus moves here.
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
            ? "The address with the fingerprint of this computer's certificate, so that no other computer can answer in its place."
            : undefined
        }
      />
      {isLocal && (
        <p className="caption">
          For this computer only.{" "}
          <Button
            className="link"
            onPress={() => {
              store.getState().setSharePart("hosting");
            }}
          >
            Invite others over the local network…
          </Button>
        </p>
      )}
      <CopyField name="Token" value={token} />
      <p>
        Valid until {instantWords(expiresAt)}, for reading this pack only. <strong>Shown once:</strong>{" "}
        Echotop keeps no copy of the token.
      </p>
      <Button onPress={onDone}>Done, hide it</Button>
    </div>
  );
}
