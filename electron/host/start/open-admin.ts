// Composes the admin listener: metrics and readiness of a host's parts. Loaded only where one is configured.
import type { FeedHealth } from "../../../shared/contract/feed-health.ts";
import type { CatalogReader } from "../../catalog/catalog.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import type { BackfillCounts } from "../../catalog/stores/backfill-queue.ts";
import { createAdminServer } from "../../services/admin/admin-server.ts";
import { createCatalogFacts, readWithin } from "../../services/admin/catalog-facts.ts";
import { createMetrics } from "../../services/admin/metrics.ts";
import type { StormMeter } from "../../services/storm/storm-meter.ts";
import type { ServiceConfig } from "../config/service-config.ts";
import type { RunningGateway } from "./start-gateway.ts";

export interface AdminSources {
  readonly catalog: CatalogReader;
  readonly frames: FrameStore;
  readonly feeds: () => readonly FeedHealth[];
  /** Undefined unless this process is a worker of a service. */
  readonly countBackfills?: (() => Promise<BackfillCounts>) | undefined;
  readonly countStreams: () => number;
  /** Returns undefined while the gateway is off. */
  readonly gateway: () => Pick<RunningGateway, "settings" | "log"> | undefined;
  readonly isDraining: () => boolean;
  readonly now: () => Date;
}

export interface Admin {
  readonly meter: StormMeter;
  /** Resolves with the origin. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

export type OpenAdmin = (address: NonNullable<ServiceConfig["admin"]>, sources: AdminSources) => Admin;

/** A catalog that takes longer is as good as gone: probes do not wait for more. */
const catalogLimitMs = 1_000;

export const openAdmin: OpenAdmin = (address, sources) => {
  const readCatalog = createCatalogFacts(sources.catalog, catalogLimitMs);
  const { meter, render } = createMetrics({
    now: sources.now,
    readCatalog,
    countStreams: sources.countStreams,
    readFeeds: sources.feeds,
    readBackfills: async () => sources.countBackfills && readWithin(sources.countBackfills(), catalogLimitMs),
    readFrameCache: () => sources.frames.cacheUse?.(),
    readGateway: () => {
      const gateway = sources.gateway();
      return gateway && { hasCurrentSettings: gateway.settings.isCurrent(), ...gateway.log.state() };
    },
  });
  const server = createAdminServer({
    renderMetrics: render,
    findReadiness: async () => ({
      isReady: !sources.isDraining(),
      catalog: (await readCatalog()).events !== undefined,
    }),
  });
  return { meter, listen: () => server.listen(address), close: () => server.close() };
};
