// Hosting and sharing on the local network: what each is, whether it is on, and where.
import type { ReactNode } from "react";
import type { HostingState, LanState, PackList } from "../../../shared/contract/packs.ts";
import { useViewer } from "../../viewer-context.ts";
import { SwitchHead } from "../controls/switch-head.tsx";

export function Hosting({ list }: { readonly list: PackList }): ReactNode {
  return (
    <>
      <HostingPart hosting={list.hosting} />
      <LanPart lan={list.lan} hosting={list.hosting} />
    </>
  );
}

function HostingPart({ hosting }: { readonly hosting: HostingState }): ReactNode {
  const { actions } = useViewer();
  const { listener, git } = hosting;
  const on = listener.status === "on";
  return (
    <>
      <SwitchHead
        title="Hosting"
        isOn={on}
        name={`Switch ${on ? "off" : "on"} hosting`}
        onSwitch={() => void actions.act("hosting.switch", { on: !on })}
      />
      {listener.status === "off" && (
        <p>
          Answers whoever has an address and a token for a pack of yours. Without it nothing can be shared.
        </p>
      )}
      {listener.status === "on" && (
        <p>
          At <span className="address">{listener.address}</span>, for programs on this computer.
        </p>
      )}
      {listener.status === "failed" && <p className="bad">{listener.problem}</p>}
      {git.status === "found" ? (
        <p className="caption">With Git {git.version}.</p>
      ) : (
        <>
          <p className="late">{git.problem}</p>
          <p className="caption">Getting, writing and sending packs needs no Git and works all the same.</p>
        </>
      )}
    </>
  );
}

interface LanPartProps {
  readonly lan: LanState;
  readonly hosting: HostingState;
}

function LanPart({ lan, hosting }: LanPartProps): ReactNode {
  const { actions } = useViewer();
  const on = lan.status === "on";
  const unavailable =
    !on && hosting.listener.status !== "on" ? "Hosting must be on before others can reach it." : undefined;
  return (
    <>
      <SwitchHead
        title="On the local network"
        isOn={on}
        name={`Switch ${on ? "off" : "on"} sharing on the local network`}
        unavailable={unavailable}
        onSwitch={() => void actions.act("lan.switch", { on: !on })}
      />
      {lan.status === "off" && (
        <p>Lets other computers on your network get what you share, encrypted. {unavailable}</p>
      )}
      {lan.status === "failed" && <p className="bad">{lan.problem}</p>}
      {lan.status === "on" && (
        <>
          <p>
            At <span className="address">{lan.address}</span>, encrypted. An invitation made now is a pairing
            code.
          </p>
          <p>
            The code carries this fingerprint of your certificate; your colleague’s Echotop talks to nobody
            with another one.
          </p>
          <div className="fingerprint" role="group" aria-label="Fingerprint of the certificate">
            {toReadableParts(lan.fingerprint).map((part) => (
              <span key={part.start}>{part.text}</span>
            ))}
          </div>
        </>
      )}
    </>
  );
}

/** Eight bytes each, which is as much as one reads out at once; together they are the whole. */
function toReadableParts(fingerprint: string): readonly { readonly start: number; readonly text: string }[] {
  return [...fingerprint.matchAll(/(?:[^:]+:?){1,8}/g)].map(({ index, 0: text }) => ({ start: index, text }));
}
