// The switches for sharing: on this computer (the hosting server), and on the local network.
import type { ReactNode } from "react";
import type { PackList } from "../../../../shared/contract/packs.ts";
import { useViewer } from "../../../viewer-context.ts";
import { ServerSwitch } from "../../controls/switch.tsx";

export function Hosting({ list: { hosting, lan } }: { readonly list: PackList }): ReactNode {
  const { actions } = useViewer();
  const { listener, git } = hosting;
  const needsHosting = lan.status !== "on" && listener.status !== "on" ? "Turn on sharing first." : undefined;
  return (
    <>
      <ServerSwitch
        title="Sharing"
        what="sharing"
        server={listener}
        purpose="Colleagues you invite can download your packs."
        reach="for programs on this computer"
        onSwitch={(on) => void actions.act("hosting.switch", { on })}
      />
      {git.status === "found" ? (
        <p className="caption">Git {git.version}</p>
      ) : (
        <>
          <p className="warning">{git.problem}</p>
          <p className="caption">Downloading, exporting and sending packs work without Git.</p>
        </>
      )}
      <ServerSwitch
        title="On the local network"
        what="sharing on the local network"
        server={lan}
        purpose={`Other computers on your network can download what you share, encrypted. ${needsHosting ?? ""}`}
        reach="encrypted. An invitation made now is a pairing code"
        unavailable={needsHosting}
        onSwitch={(on) => void actions.act("lan.switch", { on })}
      />
      {lan.status === "on" && (
        <>
          <p>
            The code contains this fingerprint of your certificate. Your colleague's Echotop connects to no
            other computer with it.
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

/** Splits the fingerprint into parts of eight bytes, short enough to read out. */
function toReadableParts(fingerprint: string): readonly { readonly start: number; readonly text: string }[] {
  return [...fingerprint.matchAll(/(?:[^:]+:?){1,8}/g)].map(({ index, 0: text }) => ({ start: index, text }));
}
