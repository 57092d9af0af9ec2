// Actions on the gateway: read, switch, set the feature, report, explain.
import { AppError } from "../../../shared/app-error.ts";
import type { GatewayActionName } from "../../../shared/contract/action-names.ts";
import type { ActionHandlers } from "../../../shared/contract/actions.ts";
import type { GatewayState, GatewayZone } from "../../../shared/contract/briefings.ts";
import { mayRedirectCrawlers, type Zone } from "../../services/gateway/zone.ts";
import type { GatewaySwitch } from "../start/gateway-switch.ts";
import type { RunningGateway } from "../start/start-gateway.ts";

/** Author of changes on the audit trail: the person at this computer, who has no token. */
const viewerActor = "viewer";

export function createGatewayActions(gateway: GatewaySwitch): ActionHandlers<GatewayActionName> {
  return {
    "gateway.read": () => Promise.resolve(toState(gateway)),
    "gateway.switch": async ({ on }) => {
      await gateway.switch(on);
      return toState(gateway);
    },
    "gateway.setFeature": async ({ zoneId, on }) => {
      const { zones, settings } = getRunning(gateway);
      const zone = getZone(zones, zoneId);
      if (!mayRedirectCrawlers(zone))
        throw new AppError("conflict", `The ${zone.plan} plan of this zone does not redirect crawlers.`);
      await settings.setFeature(zoneId, on ? "on" : "off", viewerActor);
      return toState(gateway);
    },
    "gateway.report": async (input) => {
      const { zones, log } = getRunning(gateway);
      getZone(zones, input.zoneId);
      return log.report(input);
    },
    "gateway.explain": async (input) => getRunning(gateway).explain(input),
  };
}

function getRunning({ running }: GatewaySwitch): RunningGateway {
  if (running === undefined) throw new AppError("conflict", "The gateway is off; switch it on first.");
  return running;
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
    directory: running?.crawlers.state() ?? null,
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
