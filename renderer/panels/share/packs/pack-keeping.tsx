// Other actions on a pack: download updates, export it, show it, end its sharing, send it to another service.
import { useState, type ReactNode } from "react";
import type { Pack, PackOrigin } from "../../../../shared/contract/packs.ts";
import { instantWords } from "../../../text/format.ts";
import { useViewer } from "../../../viewer-context.ts";
import { ActionButton, Button, ConfirmButton, ShowOnMapButton } from "../../controls/button.tsx";
import { ExpandableLink } from "../../controls/expandable.tsx";
import { AddressForm } from "./address-form.tsx";

interface PackProps {
  readonly pack: Pack;
  /** Reason why no task can begin on the pack now; undefined if one can. */
  readonly busy: string | undefined;
}

export function PackKeeping({ pack, busy }: PackProps): ReactNode {
  const { actions } = useViewer();
  const { eventId, label, exportedSequence, latestSequence } = pack;
  const words = exportedSequence !== null && exportedSequence >= latestSequence ? "Export again" : "Export";
  return (
    <>
      {pack.gotFrom && <Updates pack={pack} busy={busy} gotFrom={pack.gotFrom} />}
      <div className="button-row">
        <ActionButton
          name={`${words}: ${label}`}
          unavailable={busy}
          onPress={() => void actions.act("packs.export", { eventId })}
        >
          {words}
        </ActionButton>
        <ShowOnMapButton eventId={eventId} />
        {pack.shared && (
          <ConfirmButton
            action="End sharing"
            confirm="Yes, end sharing"
            cancel="Keep sharing"
            about={label}
            warning="Nobody can download it from here any more. The event stays."
            unavailable={busy}
            onConfirm={() => void actions.act("packs.unshare", { eventId })}
          />
        )}
      </div>
      <p className="caption">
        Export writes every revision into the event's own Git repository on this computer. Nothing is sent.
        Sharing and sending export automatically.
      </p>
      <Send pack={pack} busy={busy} />
    </>
  );
}

function Updates({ pack, busy, gotFrom }: PackProps & { readonly gotFrom: PackOrigin }): ReactNode {
  const { actions } = useViewer();
  const { eventId, label } = pack;
  const { address, lastGotAt, hasToken } = gotFrom;
  const [asksForToken, setAsksForToken] = useState(false);
  return (
    <>
      <p>
        Downloaded from <span className="address">{address}</span>
        {lastGotAt !== null && `, last ${instantWords(lastGotAt)}`}
      </p>
      <div className="button-row">
        <ActionButton
          name={`Download updates: ${label}`}
          unavailable={busy}
          onPress={() => void actions.act("packs.getAgain", { eventId })}
        >
          Download updates
        </ActionButton>
        <span className="row-words">
          <Button
            className="link"
            name={`Use a new token: ${label}`}
            isOpen={asksForToken}
            onPress={() => {
              setAsksForToken(!asksForToken);
            }}
          >
            Use a new token…
          </Button>
          {hasToken ? (
            <ConfirmButton
              className="link"
              action="Forget token"
              confirm="Yes, forget token"
              cancel="Keep token"
              about={label}
              onConfirm={() => void actions.act("packs.forgetToken", { eventId })}
            />
          ) : (
            <span className="caption">No token stored</span>
          )}
        </span>
      </div>
      {asksForToken && (
        <AddressForm
          action="Download"
          name={`Download updates with this token: ${label}`}
          address={address}
          needsToken
          unavailable={busy}
          words="Your colleague creates a new token with “Invite”. It replaces the stored one."
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

function Send({ pack: { eventId, label, commit }, busy }: PackProps): ReactNode {
  const { actions } = useViewer();
  return (
    <div className="pack-send">
      <ExpandableLink words="Send to another service…" name={`Send to another service: ${label}`}>
        <AddressForm
          action="Send"
          name={`Send ${label}`}
          needsToken
          unavailable={busy}
          words="Any service with the same repository interface, and a token that may write there. The token is not stored."
          onSubmit={async (address, token) =>
            (await actions.act("packs.push", { eventId, address, token })) !== undefined
          }
        />
      </ExpandableLink>
      {commit !== null && (
        <p className="caption">
          Commit <span className="address">{commit.slice(0, 12)}</span>: the same on every computer that has
          this version
        </p>
      )}
    </div>
  );
}
