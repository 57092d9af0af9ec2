// Starts the gateway: settings, request log, known crawlers, the proxy for its zones, and its control plane, a part
// of the API listener.
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { loopbackAddress, type GatewayConfig, type HostConfig } from "../config/host-config.ts";
import { briefingsIn } from "../config/data-location.ts";
import { createClosers } from "../../platform/closers.ts";
import type { Effects } from "../../platform/effects.ts";
import { createZonePart } from "../../services/gateway/control/create-zone-part.ts";
import { openCrawlerVerifier } from "../../services/gateway/crawlers/open-crawler-verifier.ts";
import type { CrawlerVerifier } from "../../services/gateway/crawlers/crawler-verdict.ts";
import { createGateway } from "../../services/gateway/create-gateway.ts";
import type { Gateway } from "../../services/gateway/gateway.ts";
import type { RequestLog } from "../../services/gateway/log/request-log.ts";
import type { ZoneSettings } from "../../services/gateway/settings/zone-settings.ts";
import type { Zone } from "../../services/gateway/zone.ts";
import type { ControlStores } from "./control-stores.ts";
import { toPortAdvice, type SharedApi } from "./start-api.ts";

export interface RunningGateway {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly zones: readonly Zone[];
  readonly settings: Pick<ZoneSettings, "setting" | "setFeature" | "ruleset" | "isCurrent">;
  readonly log: Pick<RequestLog, "report" | "state">;
  readonly crawlers: Pick<CrawlerVerifier, "state">;
  readonly explain: Gateway["explain"];
  readonly drain: Gateway["drain"];
  /** Ends the requests of its control plane, its own requests, then the stores. Idempotent. */
  readonly close: () => Promise<void>;
}

export type GatewayHostConfig = Pick<HostConfig, "gateway" | "dataDirectory">;
export interface GatewayMeans {
  readonly listener: Pick<SharedApi, "add">;
  readonly control: Pick<ControlStores, "openSettings" | "openLog">;
}
export type GatewayEffects = Pick<Effects, "now" | "log" | "fetch">;

/**
 * Resolves when requests are answered.
 * @throws AppError `address-in-use`; `conflict` if another host uses the directory or a newer version wrote it;
 * `storage-failed`
 */
export async function startGateway(
  { gateway: config, dataDirectory }: GatewayHostConfig,
  effects: GatewayEffects,
  { listener, control }: GatewayMeans,
): Promise<RunningGateway> {
  const { now, log: report } = effects;
  const closers = createClosers();
  try {
    const port = await choosePort(config);
    const zones = config.zones.length > 0 ? config.zones : [toBriefingsZone(dataDirectory, port)];
    const settings = await control.openSettings();
    closers.add(settings.close);
    const { keepDays, push } = config.log;
    const log = await control.openLog({ ...effects, keepDays, push });
    closers.add(log.close);
    const { botsFile: file, dnsServers } = config;
    const servers = dnsServers.length === 0 ? undefined : dnsServers;
    const crawlers = await openCrawlerVerifier({ file, dnsServers: servers, now, log: report });
    closers.add(crawlers.close);
    const { trustedProxies } = config;
    const gateway = createGateway({ zones, trustedProxies, settings, log, crawlers, now, report });
    closers.add(gateway.close);
    const { origin } = await gateway.listen({ port, advice: toPortAdvice("gateway.port") });
    const { explain, drain } = gateway;
    const part = createZonePart({ zones, settings, log, explain });
    const { remove } = await listener.add(part);
    closers.add(remove);
    return { origin, zones, settings, log, crawlers, explain, drain, close: closers.close };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

/** Returns the default zone: the briefings, at the listener's own address. */
function toBriefingsZone(dataDirectory: string, port: number): Zone {
  return {
    id: "briefings",
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

/** Returns the port to listen on. The default zone's address contains it, so that a free port is found before. */
async function choosePort({ port, zones }: GatewayConfig): Promise<number> {
  if (port !== 0 || zones.length > 0) return port;
  const probe = createServer().listen(0, loopbackAddress);
  await once(probe, "listening");
  const { port: free } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return free;
}
