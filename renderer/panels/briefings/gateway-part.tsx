// The gateway: whether it is on and where, what each of its zones does with crawlers, and how its list of crawlers is.
import type { ReactNode } from "react";
import type { CrawlerDirectory, GatewayState, GatewayZone } from "../../../shared/contract/briefings.ts";
import {
  configuredSentence,
  directoryWords,
  featureSentence,
  findFeatureObstacle,
  gatewayOffSentence,
  rulesWords,
} from "../../text/gateway-text.ts";
import { instantWords } from "../../text/format.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { SwitchHead } from "../controls/switch-head.tsx";

export function GatewayPart({ gateway }: { readonly gateway: GatewayState }): ReactNode {
  const { zones, directory } = gateway;
  return (
    <>
      <Listener gateway={gateway} />
      {zones.map((zone) => (
        <Zone key={zone.id} zone={zone} />
      ))}
      {directory && <Directory directory={directory} />}
    </>
  );
}

function Listener({ gateway }: { readonly gateway: GatewayState }): ReactNode {
  const { actions } = useViewer();
  const { listener, isConfigured } = gateway;
  const on = listener.status === "on";
  return (
    <>
      <SwitchHead
        title="Gateway"
        isOn={on}
        name={`Switch ${on ? "off" : "on"} the gateway`}
        unavailable={isConfigured ? configuredSentence : undefined}
        onSwitch={() => void actions.act("gateway.switch", { on: !on })}
      />
      {listener.status === "off" && <p>{gatewayOffSentence}</p>}
      {listener.status === "on" && (
        <p>
          At <span className="address">{listener.address}</span>, for programs on this computer.
        </p>
      )}
      {listener.status === "failed" && <p className="bad">{listener.problem}</p>}
      {isConfigured && <p className="caption">{configuredSentence}</p>}
    </>
  );
}

function Zone({ zone }: { readonly zone: GatewayZone }): ReactNode {
  const { actions } = useViewer();
  const { id, hosts, publicOrigin, servesBriefings, feature } = zone;
  const on = feature.value === "on";
  const obstacle = findFeatureObstacle(zone);
  const rules = rulesWords(zone);
  return (
    <section className="zone" aria-label={`Zone ${id}`}>
      <h2>{servesBriefings ? "Briefings" : hosts[0]}</h2>
      <p>
        Known as <span className="address">{publicOrigin}</span>
        {hosts.length > 0 && <>, answers as {hosts.join(", ")}</>}.
      </p>
      <SwitchHead
        title="Send crawlers to the main page"
        level={3}
        isOn={on}
        name={`Switch ${on ? "off" : "on"} sending crawlers to the main page, zone ${id}`}
        unavailable={obstacle}
        onSwitch={() => void actions.act("gateway.setFeature", { zoneId: id, on: !on })}
      />
      <p>{featureSentence(zone)}</p>
      {obstacle !== undefined && <p className="late">{obstacle}</p>}
      {rules !== undefined && <p>{rules}</p>}
      {feature.modifiedOn !== null && (
        <p className="caption">Last changed {instantWords(feature.modifiedOn)}.</p>
      )}
    </section>
  );
}

function Directory({ directory }: { readonly directory: CrawlerDirectory }): ReactNode {
  const nowMs = useViewerState((state) => state.nowMs);
  const { text, tone } = directoryWords(directory, nowMs);
  return (
    <section className="zone" aria-label="Known crawlers">
      <h2>Known crawlers</h2>
      <p className={tone === "late" ? "late" : undefined}>{text}</p>
      {directory.problem !== null && <p className="bad">{directory.problem}</p>}
      <p className="caption">
        Each is believed by an address that its operator publishes, by its name in the DNS, or by a signature.
        One that cannot be proven gets the page that it asks for.
      </p>
    </section>
  );
}
