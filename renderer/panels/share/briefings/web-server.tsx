// The web server of the briefings (the gateway): switch, address, redirects of each zone, known crawlers.
import type { ReactNode } from "react";
import type { CrawlerDirectory, GatewayState, GatewayZone } from "../../../../shared/contract/briefings.ts";
import {
  configuredSentence,
  directoryWords,
  featureSentence,
  findFeatureObstacle,
  rulesWords,
  serverPurpose,
} from "../../../text/briefing-text.ts";
import { instantWords } from "../../../text/format.ts";
import { useViewer, useViewerState } from "../../../viewer-context.ts";
import { ServerSwitch, Switch } from "../../controls/switch.tsx";

export function WebServer({ gateway }: { readonly gateway: GatewayState }): ReactNode {
  const { actions } = useViewer();
  const { listener, isConfigured, zones, directory } = gateway;
  return (
    <>
      <ServerSwitch
        title="Web server"
        what="the web server"
        server={listener}
        purpose={serverPurpose}
        reach="for programs on this computer"
        unavailable={isConfigured ? configuredSentence : undefined}
        onSwitch={(on) => void actions.act("gateway.switch", { on })}
      />
      {isConfigured && <p className="caption">{configuredSentence}</p>}
      {zones.map((zone) => (
        <Zone key={zone.id} zone={zone} />
      ))}
      {directory && <Directory directory={directory} />}
    </>
  );
}

function Zone({ zone }: { readonly zone: GatewayZone }): ReactNode {
  const { actions } = useViewer();
  const { id, hosts, publicOrigin, servesBriefings, feature } = zone;
  const obstacle = findFeatureObstacle(zone);
  const rules = rulesWords(zone);
  return (
    <section className="zone" aria-label={`Zone ${id}`}>
      <h2>{servesBriefings ? "Briefings" : hosts[0]}</h2>
      <p>
        Public address <span className="address">{publicOrigin}</span>
        {hosts.length > 0 && `, host names ${hosts.join(", ")}`}
      </p>
      <Switch
        title="Send crawlers to the main page"
        level={3}
        isOn={feature.value === "on"}
        what={`sending crawlers to the main page, zone ${id}`}
        unavailable={obstacle}
        onSwitch={(on) => void actions.act("gateway.setFeature", { zoneId: id, on })}
      />
      <p>{featureSentence(zone)}</p>
      {obstacle !== undefined && <p className="warning">{obstacle}</p>}
      {rules !== undefined && <p>{rules}</p>}
      {feature.modifiedOn !== null && (
        <p className="caption">Last changed {instantWords(feature.modifiedOn)}</p>
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
      <p className={tone}>{text}</p>
      {directory.problem !== null && <p className="bad">{directory.problem}</p>}
      <p className="caption">
        A crawler proves its identity by an address its operator publishes, by its DNS name, or by a
        signature. A crawler that cannot is never redirected.
      </p>
    </section>
  );
}
