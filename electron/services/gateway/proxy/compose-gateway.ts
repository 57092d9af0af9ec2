// The gateway put together: zones behind one loopback listener, each with its origin and redirects, and the feature for them
// all. The language of rules and redirects is given to it.
import { randomBytes } from "node:crypto";
import { AppError } from "../../../../shared/app-error.ts";
import type { Log } from "../../../platform/effects.ts";
import { bind, closeServer } from "../../http/listening.ts";
import type { CrawlerVerifier } from "../crawlers/crawler-verdict.ts";
import type { Gateway } from "../gateway.ts";
import type { RequestLog } from "../log/request-record.ts";
import { createFindClient, createIsProxy } from "./client-address.ts";
import { createExplain } from "./explain.ts";
import { FairShare, mostAtOnce } from "./fair-share.ts";
import { createFeature, type FeatureOptions } from "./feature.ts";
import { createListener, type ListenerPatience } from "./listener.ts";
import type { OriginPatience } from "./http-origin.ts";
import type { PipelineMeans } from "./pipeline.ts";
import { createRecordIds } from "./record-id.ts";
import { createServing } from "./serve-request.ts";
import { serveZone, type CreateRedirects } from "./served-zone.ts";
import { createSites } from "./site.ts";
import type { ZoneSettings } from "../settings/zone-settings.ts";
import type { Zone } from "../zone.ts";

export interface GatewayPatience extends ListenerPatience, OriginPatience {
  /** How long a page may take to show its head to a crawler, in ms. */
  readonly lookMs: number;
}

export interface GatewayOptions {
  readonly zones: readonly Zone[];
  /** Addresses or CIDRs. */
  readonly trustedProxies: readonly string[];
  /** Settings, log and crawlers stay open when the gateway closes. */
  readonly settings: Pick<ZoneSettings, "setting" | "ruleset" | "metadata" | "revision">;
  readonly log: Pick<RequestLog, "append">;
  readonly crawlers: Pick<CrawlerVerifier, "mayBeCrawler" | "verify">;
  readonly now: () => Date;
  /** What people who run the host read. */
  readonly report: Log;
  readonly patience?: Partial<GatewayPatience>;
}

const usualPatience: GatewayPatience = {
  requestHeadMs: 10_000,
  keptMs: 75_000,
  idleMs: 120_000,
  connectMs: 5_000,
  headMs: 30_000,
  pieceMs: 60_000,
  lookMs: 20_000,
};

export interface Language extends Pick<FeatureOptions, "compile"> {
  readonly createRedirects: CreateRedirects;
}

/** @throws what `createRedirects` does, AppError `invalid-input` for a proxy that is no address */
export function composeGateway(options: GatewayOptions, { compile, createRedirects }: Language): Gateway {
  const { zones, trustedProxies, settings, log, crawlers, now, report } = options;
  const patience = { ...usualPatience, ...options.patience };
  const findClient = createFindClient(trustedProxies);
  const isProxy = createIsProxy(trustedProxies);
  const share = new FairShare({ most: mostAtOnce, isExempt: isProxy });
  const served = new Map(zones.map((zone) => [zone.id, serveZone(zone, createRedirects, patience)]));
  const sites = createSites(zones);
  const pipeline: PipelineMeans = {
    served,
    feature: createFeature({ settings, compile, report }),
    crawlers,
    settings,
    // Of this gateway alone, so that another one behind it is no loop.
    via: `echotop-${randomBytes(6).toString("hex")}`,
    lookMs: patience.lookMs,
  };
  const nextId = createRecordIds(() => now().getTime());
  const serving = createServing({ sites, findClient, share, pipeline, log, nextId, now, report });
  const server = createListener({ answer: serving, patience, isProxy });
  let closed: Promise<void> | undefined;
  return {
    async listen({ port, advice }) {
      if (closed !== undefined) throw new AppError("conflict", "The gateway is closed.");
      const bound = await bind(server, { host: "127.0.0.1", port, advice });
      return { origin: `http://127.0.0.1:${bound.port}`, port: bound.port };
    },
    explain: createExplain({ sites, pipeline }),
    close: () =>
      (closed ??= (async () => {
        await closeServer(server);
        await Promise.all([...served.values()].map(({ origin }) => origin.close()));
      })()),
  };
}
