// Composes the gateway: zones behind one loopback listener, each with its origin and redirects, and one feature for
// all.
import { randomBytes } from "node:crypto";
import { AppError } from "../../../shared/app-error.ts";
import type { Log } from "../../platform/effects.ts";
import { FairShare } from "../http/fair-share.ts";
import { bind } from "../http/listening.ts";
import { createServerEnding } from "../http/server-ending.ts";
import type { CrawlerVerifier } from "./crawlers/crawler-verdict.ts";
import { proxyLimits, proxyTimeouts, type ProxyTimeouts } from "./gateway-limits.ts";
import type { Gateway } from "./gateway.ts";
import type { RequestLog } from "./log/request-log.ts";
import { createFindClient, createIsProxy } from "./proxy/client-address.ts";
import { createExplain } from "./proxy/explain.ts";
import { createFeature } from "./proxy/feature.ts";
import { createFolderOrigin } from "./proxy/folder-origin.ts";
import { createHttpOrigin } from "./proxy/http-origin.ts";
import { createListener } from "./proxy/listener.ts";
import type { PipelineMeans, ServedZone } from "./proxy/pipeline.ts";
import { createRecordIds } from "./proxy/record-request.ts";
import { createServing } from "./proxy/serve-request.ts";
import { createSites } from "./proxy/site.ts";
import { createRedirects } from "./redirects/create-redirects.ts";
import type { ZoneSettings } from "./settings/zone-settings.ts";
import type { Zone } from "./zone.ts";

export interface GatewayOptions {
  readonly zones: readonly Zone[];
  /** Addresses or CIDRs. */
  readonly trustedProxies: readonly string[];
  /** Settings, log and crawlers stay open when the gateway closes. */
  readonly settings: Pick<ZoneSettings, "setting" | "ruleset" | "metadata" | "revision">;
  readonly log: Pick<RequestLog, "append">;
  readonly crawlers: Pick<CrawlerVerifier, "mayBeCrawler" | "verify">;
  readonly now: () => Date;
  /** Log for the people who run the host. */
  readonly report: Log;
  readonly timeouts?: Partial<ProxyTimeouts>;
}

/**
 * @throws ExpressionError for a redirect that does not compile, AppError `invalid-input` for an invalid proxy address
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { zones, trustedProxies, settings, log, crawlers, now, report } = options;
  const timeouts = { ...proxyTimeouts, ...options.timeouts };
  const findClient = createFindClient(trustedProxies);
  const isProxy = createIsProxy(trustedProxies);
  const { perAddress, perProxy } = proxyLimits;
  const share = new FairShare({ mostOf: (address) => (isProxy(address) ? perProxy : perAddress) });
  const served = new Map(zones.map((zone) => [zone.id, serveZone(zone, timeouts)]));
  const sites = createSites(zones);
  const pipeline: PipelineMeans = {
    served,
    feature: createFeature({ settings, report }),
    crawlers,
    settings,
    // Unique per gateway, so that a second gateway behind this one does not look like a loop.
    via: `echotop-${randomBytes(6).toString("hex")}`,
    inspectMs: timeouts.inspectMs,
  };
  const nextId = createRecordIds(() => now().getTime());
  const serving = createServing({ sites, findClient, share, pipeline, log, nextId, now, report });
  const server = createListener({ answer: serving, timeouts, isProxy });
  const ending = createServerEnding(server);
  let closed: Promise<void> | undefined;
  return {
    async listen({ port, advice }) {
      if (closed !== undefined) throw new AppError("conflict", "The gateway is closed.");
      const bound = await bind(server, { host: "127.0.0.1", port, advice });
      return { origin: `http://127.0.0.1:${bound.port}`, port: bound.port };
    },
    explain: createExplain({ sites, pipeline }),
    drain: ending.drain,
    close: () =>
      (closed ??= (async () => {
        await ending.close();
        await Promise.all([...served.values()].map(({ origin }) => origin.close()));
      })()),
  };
}

function serveZone(zone: Zone, timeouts: ProxyTimeouts): ServedZone {
  const hasRedirects = zone.singleRedirects.length + zone.bulkRedirects.length > 0;
  return {
    origin:
      zone.origin.kind === "http"
        ? createHttpOrigin(zone.origin.url, timeouts)
        : createFolderOrigin(zone.origin.directory),
    redirects: hasRedirects ? createRedirects(zone) : undefined,
  };
}
