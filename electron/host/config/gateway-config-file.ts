// The section `gateway` of the configuration file: its schema and the configuration made of it.
import { resolve } from "node:path";
import * as z from "zod";
import { addressAndPort, addressRange, port, webAddress } from "./config-values.ts";
import { toDefaultGatewayConfig, type GatewayConfig } from "./host-config.ts";
import { toZone, ZonesSection } from "./gateway-zones-file.ts";

const PushSection = z.strictObject({
  url: webAddress,
  interval_seconds: z.number().min(0.1).max(86_400).exactOptional(),
});

export const GatewaySection = z.strictObject({
  port: port.exactOptional(),
  trusted_proxies: z.array(addressRange).max(1_000).exactOptional(),
  bots: z.string().min(1).exactOptional(),
  dns_servers: z.array(addressAndPort).max(10).exactOptional(),
  log: z
    .strictObject({
      keep_days: z.int().min(1).max(3_660).exactOptional(),
      push: PushSection.nullable().exactOptional(),
    })
    .exactOptional(),
  zones: ZonesSection.exactOptional(),
});
export type GatewaySection = z.infer<typeof GatewaySection>;

export interface GatewayPlaces {
  /** Folder of the configuration file. */
  readonly folder: string;
  /** Folder of the data directory's briefings, absolute. */
  readonly briefingsDirectory: string;
  /** List of known crawlers that comes with Echotop, absolute. */
  readonly botsFile: string;
}

const defaultPushMs = 10_000;

/** Returns the configuration of the gateway; without the section it is off. */
export function toGatewayConfig(section: GatewaySection | undefined, places: GatewayPlaces): GatewayConfig {
  const defaults = toDefaultGatewayConfig(places.botsFile);
  if (section === undefined) return defaults;
  const briefings = { kind: "briefings", directory: places.briefingsDirectory } as const;
  const { bots, log } = section;
  return {
    isOn: true,
    port: section.port ?? defaults.port,
    trustedProxies: section.trusted_proxies ?? defaults.trustedProxies,
    botsFile: bots === undefined ? defaults.botsFile : resolve(places.folder, bots),
    dnsServers: section.dns_servers ?? defaults.dnsServers,
    log: {
      keepDays: log?.keep_days ?? defaults.log.keepDays,
      push: toPush(log?.push ?? undefined),
    },
    zones: (section.zones ?? []).map((zone) => toZone(zone, briefings)),
  };
}

function toPush(push: z.infer<typeof PushSection> | undefined): GatewayConfig["log"]["push"] {
  if (push === undefined) return undefined;
  const { url, interval_seconds: seconds } = push;
  return { url, intervalMs: seconds === undefined ? defaultPushMs : seconds * 1000 };
}
