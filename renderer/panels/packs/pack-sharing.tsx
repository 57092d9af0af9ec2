// Sharing one pack: put it into a hosted repository, and invite somebody to get it.
import { useState, type ReactNode } from "react";
import type { Invitation, Pack, PackShare } from "../../../shared/contract/packs.ts";
import { inviteChoices, shareWords, sharingObstacleWords } from "../../text/pack-text.ts";
import type { SharingObstacle } from "../../state/slices/packs-slice.ts";
import { useViewer } from "../../viewer-context.ts";
import { ActionButton } from "../controls/action-button.tsx";
import { findBusyReason, usePackTask } from "./pack-task.ts";
import { PackInvitation } from "./pack-invitation.tsx";

export interface PackSharingProps {
  readonly pack: Pack;
  readonly obstacle: SharingObstacle | undefined;
}

export function PackSharing({ pack, obstacle }: PackSharingProps): ReactNode {
  const { shared } = pack;
  return shared === null ? (
    <NotShared pack={pack} obstacle={obstacle} />
  ) : (
    <Shared pack={pack} shared={shared} obstacle={obstacle} />
  );
}

function NotShared({ pack, obstacle }: PackSharingProps): ReactNode {
  const { actions } = useViewer();
  const busy = findBusyReason(pack, usePackTask(pack));
  return (
    <div className="button-row">
      <ActionButton
        name={`Share ${pack.label}`}
        unavailable={obstacle === undefined ? busy : sharingObstacleWords[obstacle]}
        onPress={() => void actions.act("packs.share", { eventId: pack.eventId })}
      >
        Share
      </ActionButton>
      <span className="caption row-words">Later revisions follow by themselves.</span>
    </div>
  );
}

interface SharedProps extends PackSharingProps {
  readonly shared: PackShare;
}

function Shared({ pack, shared, obstacle }: SharedProps): ReactNode {
  const [invitation, setInvitation] = useState<Invitation>();
  return (
    <>
      <p className={shared.problem === null ? undefined : "late"}>{shareWords(shared)}</p>
      {invitation === undefined ? (
        <Invite pack={pack} obstacle={obstacle} onInvite={setInvitation} />
      ) : (
        <PackInvitation
          label={pack.label}
          invitation={invitation}
          onDone={() => {
            setInvitation(undefined);
          }}
        />
      )}
    </>
  );
}

interface InviteProps extends PackSharingProps {
  readonly onInvite: (invitation: Invitation) => void;
}

function Invite({ pack, obstacle, onInvite }: InviteProps): ReactNode {
  const { actions } = useViewer();
  const [ttlSeconds, setTtlSeconds] = useState<number>(86_400);

  async function invite(): Promise<void> {
    const invitation = await actions.act("packs.invite", { eventId: pack.eventId, ttlSeconds });
    if (invitation) onInvite(invitation);
  }

  return (
    <div className="button-row">
      <ActionButton
        name={`Invite somebody to get ${pack.label}`}
        unavailable={obstacle && sharingObstacleWords[obstacle]}
        onPress={() => void invite()}
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
