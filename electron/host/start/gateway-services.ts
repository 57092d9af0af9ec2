// What the actions ask of the gateway, answered by the one that runs. Part of the composition, as start.ts is.
import { AppError } from "../../../shared/app-error.ts";
import type { CrawlerDirectory, GatewayState, GatewayZone } from "../../../shared/contract/briefings.ts";
import type { GatewayParts } from "../actions/gateway-actions.ts";
import type { DirectoryState } from "../../services/gateway/crawlers/crawler-verdict.ts";
import { mayRedirectCrawlers, type Zone } from "../../services/gateway/zone.ts";
import type { GatewaySwitch } from "./gateway-switch.ts";
import type { RunningGateway } from "./start-gateway.ts";

/** Who has changed something, on the audit trail: nobody with a token, but the person at this machine. */
const viewerActor = "viewer";

export function toGatewayServices(gateway: GatewaySwitch): GatewayParts {
  const getRunning = (): RunningGateway => {
    if (gateway.running === undefined)
      throw new AppError("conflict", "The gateway is off; switch it on first.");
    return gateway.running;
  };
  return {
    readGateway: () => Promise.resolve(toState(gateway)),
    switchGateway: async (on) => {
      await gateway.switch(on);
      return toState(gateway);
    },
    setFeature: async ({ zoneId, on }) => {
      const { zones, settings } = getRunning();
      const zone = getZone(zones, zoneId);
      if (!mayRedirectCrawlers(zone))
        throw new AppError("conflict", `The ${zone.plan} plan of this zone does not redirect crawlers.`);
      await Promise.resolve(settings.setFeature(zoneId, on ? "on" : "off", viewerActor));
    },
    reportGateway: async (input) => {
      const { zones, log } = getRunning();
      getZone(zones, input.zoneId);
      return log.report(input);
    },
    explain: async (input) => {
      const { steps, ...explanation } = await getRunning().explain(input);
      return { ...explanation, steps: [...steps] };
    },
  };
}

function getZone(zones: readonly Zone[], zoneId: string): Zone {
  const zone = zones.find(({ id }) => id === zoneId);
  if (zone === undefined) throw new AppError("not-found", `The gateway has no zone ${zoneId}.`);
  return zone;
}

function toState(gateway: GatewaySwitch): GatewayState {
  const { running, isConfigured } = gateway;
  return {
    listener: gateway.listener(),
    isConfigured,
    zones: running?.zones.map((zone) => toZoneState(zone, running)) ?? [],
    directory: running ? toDirectory(running.crawlers.state()) : null,
  };
}

function toZoneState(zone: Zone, { settings }: RunningGateway): GatewayZone {
  const { id, hosts, publicOrigin, plan, origin } = zone;
  return {
    id,
    hosts: [...hosts],
    publicOrigin,
    plan,
    servesBriefings: origin.kind === "briefings",
    feature: { ...settings.setting(id), editable: mayRedirectCrawlers(zone) },
    rules: settings.ruleset(id).rules.filter(({ enabled }) => enabled).length,
  };
}

function toDirectory({ updatedAt, crawlers, isStale, problem }: DirectoryState): CrawlerDirectory {
  return { updatedAt: updatedAt ?? null, crawlers, isStale, problem: problem ?? null };
}
