// Beside sharing: getting again what was got from somebody, writing the pack here, sending it to another
// service, ending its sharing.
import { useState, type ReactNode } from "react";
import type { Pack, PackOrigin } from "../../../shared/contract/packs.ts";
import { instantWords } from "../../text/format.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { ActionButton } from "../controls/action-button.tsx";
import { AddressForm } from "./address-form.tsx";
import { EndSharing } from "./end-sharing.tsx";
import { ForgetToken } from "./forget-token.tsx";
import { findBusyReason, usePackTask } from "./pack-task.ts";

interface PackProps {
  readonly pack: Pack;
}

export function PackKeeping({ pack }: PackProps): ReactNode {
  const { store } = useViewer();
  const selected = useViewerState((state) => state.selectedEventId === pack.eventId);
  return (
    <>
      {pack.gotFrom && <GetAgain pack={pack} gotFrom={pack.gotFrom} />}
      <div className="button-row">
        <Export pack={pack} />
        {!selected && (
          <button
            type="button"
            className="button small"
            aria-label={`Show on the map: ${pack.label}`}
            onClick={() => {
              store.getState().chooseEvent(pack.eventId);
            }}
          >
            Show on the map
          </button>
        )}
        {pack.shared && <EndSharing pack={pack} />}
      </div>
      <p className="caption">
        Writing the pack puts every revision into the event’s own Git repository on this computer. Nothing is
        sent; sharing and sending do it by themselves.
      </p>
      <Send pack={pack} />
    </>
  );
}

function GetAgain({ pack, gotFrom }: PackProps & { readonly gotFrom: PackOrigin }): ReactNode {
  const { actions } = useViewer();
  const { address, lastGotAt, hasToken } = gotFrom;
  const [asksForToken, setAsksForToken] = useState(false);
  const unavailable = findBusyReason(pack, usePackTask(pack));
  return (
    <>
      <p>
        Got from <span className="address">{address}</span>
        {lastGotAt !== null && `, last ${instantWords(lastGotAt)}`}.
      </p>
      <div className="button-row">
        <ActionButton
          name={`Get what is new of ${pack.label}`}
          unavailable={unavailable}
          onPress={() => void actions.act("packs.getAgain", { eventId: pack.eventId })}
        >
          Get what is new
        </ActionButton>
        <span className="row-words">
          <button
            type="button"
            className="link"
            aria-expanded={asksForToken}
            aria-label={`Use a new token for ${pack.label}`}
            onClick={() => {
              setAsksForToken(!asksForToken);
            }}
          >
            Use a new token…
          </button>
          {hasToken ? <ForgetToken pack={pack} /> : <span className="caption">None is kept.</span>}
        </span>
      </div>
      {asksForToken && (
        <AddressForm
          action="Get"
          name={`Get what is new of ${pack.label} with this token`}
          address={address}
          needsToken
          unavailable={unavailable}
          words="Your colleague makes a new one with “Invite”. It is kept in place of the one before."
          onSubmit={async (from, token) => {
            const started = await actions.act("packs.get", { address: from, token });
            if (started !== undefined) setAsksForToken(false);
            return started !== undefined;
          }}
        />
      )}
    </>
  );
}

function Export({ pack }: PackProps): ReactNode {
  const { actions } = useViewer();
  const task = usePackTask(pack);
  const upToDate = pack.exportedSequence !== null && pack.exportedSequence >= pack.latestSequence;
  const words = upToDate ? "Write pack again" : "Write pack";
  return (
    <ActionButton
      name={`${words}: ${pack.label}`}
      unavailable={findBusyReason(pack, task)}
      onPress={() => void actions.act("packs.export", { eventId: pack.eventId })}
    >
      {words}
    </ActionButton>
  );
}

function Send({ pack }: PackProps): ReactNode {
  const { actions } = useViewer();
  const unavailable = findBusyReason(pack, usePackTask(pack));
  const [open, setOpen] = useState(false);
  return (
    <div className="pack-send">
      <button
        type="button"
        className="link"
        aria-expanded={open}
        aria-label={`Send to another service: ${pack.label}`}
        onClick={() => {
          setOpen(!open);
        }}
      >
        Send to another service…
      </button>
      {open && (
        <AddressForm
          action="Send"
          name={`Send ${pack.label}`}
          needsToken
          unavailable={unavailable}
          words="A repository of any service with the same contract, and a token that may write to it. The token is not kept."
          onSubmit={async (address, token) => {
            const { eventId } = pack;
            return (await actions.act("packs.push", { eventId, address, token })) !== undefined;
          }}
        />
      )}
      {pack.commit !== null && (
        <p className="caption">
          Commit <span className="address">{pack.commit.slice(0, 12)}</span>: the same on every machine that
          has this version.
        </p>
      )}
    </div>
  );
}
