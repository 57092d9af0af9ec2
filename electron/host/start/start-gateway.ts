// Puts the gateway together: settings, request log, known crawlers, the proxy in front of its zones, and its control plane, a
// part of the API listener. Part of the composition, as start.ts is.
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import {
  briefingsZoneId,
  loopbackAddress,
  type GatewayConfig,
  type HostConfig,
} from "../config/host-config.ts";
import { briefingsIn } from "../config/data-location.ts";
import { createClosers } from "../../platform/closers.ts";
import type { Effects } from "../../platform/effects.ts";
import { createZonePart } from "../../services/gateway/control/create-zone-part.ts";
import { openCrawlerVerifier } from "../../services/gateway/crawlers/open-crawler-verifier.ts";
import type { CrawlerVerifier } from "../../services/gateway/crawlers/crawler-verdict.ts";
import { createGateway } from "../../services/gateway/create-gateway.ts";
import type { Gateway } from "../../services/gateway/gateway.ts";
import { openRequestLog, type KeptRequestLog } from "../../services/gateway/log/open-request-log.ts";
import { compileExpression } from "../../services/gateway/rules/compile-expression.ts";
import { openZoneSettings } from "../../services/gateway/settings/open-zone-settings.ts";
import type { ZoneSettings } from "../../services/gateway/settings/zone-settings.ts";
import type { Zone } from "../../services/gateway/zone.ts";
import { toPortAdvice, type SharedApi } from "./start-api.ts";

export interface RunningGateway {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly zones: readonly Zone[];
  readonly settings: Pick<ZoneSettings, "setting" | "setFeature" | "ruleset">;
  readonly log: Pick<KeptRequestLog, "report">;
  readonly crawlers: Pick<CrawlerVerifier, "state">;
  readonly explain: Gateway["explain"];
  /** Ends its control plane's requests, its own, then the stores. Idempotent. */
  readonly close: () => Promise<void>;
}

export type GatewayHostConfig = Pick<HostConfig, "gateway" | "dataDirectory">;
export type GatewayEffects = Pick<Effects, "now" | "log" | "fetch">;

/**
 * Answers requests when the promise resolves.
 * @throws AppError `address-in-use`; `conflict` while another host has the directory, and for one of a newer version;
 * `storage-failed`
 */
export async function startGateway(
  { gateway: config, dataDirectory }: GatewayHostConfig,
  effects: GatewayEffects,
  listener: Pick<SharedApi, "add">,
): Promise<RunningGateway> {
  const { now, log: report } = effects;
  const closers = createClosers();
  try {
    const port = await choosePort(config);
    const zones = config.zones.length > 0 ? config.zones : [toBriefingsZone(dataDirectory, port)];
    const settings = openZoneSettings({ directory: dataDirectory, now });
    closers.add(settings.close);
    const log = await openLog(config, dataDirectory, effects);
    closers.add(log.close);
    const crawlers = await openCrawlers(config, effects);
    closers.add(crawlers.close);
    const { trustedProxies } = config;
    const gateway = createGateway({ zones, trustedProxies, settings, log, crawlers, now, report });
    closers.add(gateway.close);
    const { origin } = await gateway.listen({ port, advice: toPortAdvice("gateway.port") });
    const { explain } = gateway;
    const part = createZonePart({ zones, settings, log, explain, compile: compileExpression });
    const { remove } = await listener.add(part);
    closers.add(remove);
    return { origin, zones, settings, log, crawlers, explain, close: closers.close };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

function openLog(
  { log: { keepDays, push } }: GatewayConfig,
  directory: string,
  { now, fetch, log }: GatewayEffects,
): Promise<KeptRequestLog> {
  return openRequestLog({ directory, keepDays, push, now, fetch, log });
}

function openCrawlers(
  { botsFile: file, dnsServers }: GatewayConfig,
  { now, log }: GatewayEffects,
): Promise<CrawlerVerifier> {
  return openCrawlerVerifier({
    file,
    dnsServers: dnsServers.length === 0 ? undefined : dnsServers,
    now,
    log,
  });
}

/** What is served where nobody says what: the briefings, at the listener's own address. */
function toBriefingsZone(dataDirectory: string, port: number): Zone {
  return {
    id: briefingsZoneId,
    hosts: [loopbackAddress, "localhost"],
    publicOrigin: `http://${loopbackAddress}:${port}`,
    plan: "enterprise",
    customMetadata: true,
    origin: { kind: "briefings", directory: briefingsIn(dataDirectory) },
    customHostnames: [],
    singleRedirects: [],
    bulkRedirects: [],
  };
}

/** A free port has to be known before it is bound where it stands in the zone's own address. */
async function choosePort({ port, zones }: GatewayConfig): Promise<number> {
  if (port !== 0 || zones.length > 0) return port;
  const probe = createServer().listen(0, loopbackAddress);
  await once(probe, "listening");
  const { port: free } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return free;
}
