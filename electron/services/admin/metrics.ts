// Metrics in the text format of Prometheus. Labels are of fixed sets, and at most 20 event ids; no path, query, address
// or file name is one.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { feedStates, type FeedHealth } from "../../../shared/contract/feed-health.ts";
import type { FrameCacheUse } from "../../catalog/files/frame-store.ts";
import type { BackfillCounts } from "../../catalog/stores/backfill-queue.ts";
import type { StormMeter } from "../storm/storm-meter.ts";
import { mostMeteredEvents, type CatalogFacts } from "./catalog-facts.ts";

export interface MetricSources {
  readonly now: () => Date;
  readonly readCatalog: () => Promise<CatalogFacts>;
  readonly countStreams: () => number;
  readonly readFeeds: () => readonly FeedHealth[];
  /** Undefined in a process that is not a worker, or while they cannot be read. */
  readonly readBackfills: () => Promise<BackfillCounts | undefined>;
  /** Undefined if the frame store has no cache. */
  readonly readFrameCache: () => FrameCacheUse | undefined;
  /** Undefined while the gateway is off. */
  readonly readGateway: () => GatewayFacts | undefined;
}

export interface GatewayFacts {
  /** False while changes of other processes cannot be read. */
  readonly hasCurrentSettings: boolean;
  /** Records of the log that wait to be written, and that were lost since the gateway's start. */
  readonly waiting: number;
  readonly lost: number;
}

export interface Metrics {
  readonly meter: StormMeter;
  readonly render: () => Promise<{ readonly body: string; readonly type: string }>;
}

/** Seconds, from an answer out of memory to a slow reading of the database. */
const durationBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "echotop_requests_total",
    help: "Requests answered, by operation and status.",
    labelNames: ["operation", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "echotop_request_duration_seconds",
    help: "Time from a request's arrival to the end of its answer.",
    labelNames: ["operation"],
    buckets: durationBuckets,
    registers,
  });
  const notices = new Counter({
    name: "echotop_notices_sent_total",
    help: "Notices sent to streams, one for each stream.",
    registers,
  });
  const showFacts = createFactGauges(registry, sources);
  const showGateway = createGatewayGauges(registry, sources);
  return {
    meter: {
      answered: (operation, status, durationMs) => {
        requests.inc({ operation, status });
        durations.observe({ operation }, durationMs / 1000);
      },
      notified: (streams) => {
        notices.inc(streams);
      },
    },
    render: async () => {
      await showFacts();
      showGateway();
      return { body: await registry.metrics(), type: registry.contentType };
    },
  };
}

/** Returns the function that sets the gauges of the gateway; there is none of them while it is off. */
function createGatewayGauges(
  registry: Registry,
  { readGateway }: Pick<MetricSources, "readGateway">,
): () => void {
  const gauge = (name: string, help: string): (() => Gauge) => {
    let created: Gauge | undefined;
    return () => (created ??= new Gauge({ name: `echotop_gateway_${name}`, help, registers: [registry] }));
  };
  const settings = gauge("settings_up", "1 if the gateway's settings could be read lately, else 0.");
  const waiting = gauge("records_waiting", "Request records that wait to be written.");
  const lost = gauge("records_lost", "Request records lost since the gateway's start.");
  return () => {
    const gateway = readGateway();
    if (gateway === undefined) return;
    settings().set(gateway.hasCurrentSettings ? 1 : 0);
    waiting().set(gateway.waiting);
    lost().set(gateway.lost);
  };
}

/** Returns the function that sets the gauges to the present. */
function createFactGauges(registry: Registry, sources: MetricSources): () => Promise<void> {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `echotop_${name}`, help, labelNames, registers: [registry] });
  const streams = gauge("streams", "Open WebSocket streams.");
  const catalogUp = gauge("catalog_up", "1 if the catalog can be read, else 0.");
  const publications = new Counter({
    name: "echotop_publications_total",
    help: "Revisions published by any process since the first reading.",
    registers: [registry],
  });
  const most = `of the ${mostMeteredEvents} newest events`;
  const sequence = gauge("event_newest_sequence", `Newest sequence ${most}.`, "event");
  const age = gauge(
    "event_newest_age_seconds",
    `Age of the newest observation, live feeds ${most}.`,
    "event",
  );
  const feedState = gauge("feed_state", "1 for the state that a feed is in.", "event", "state");
  const feedPending = gauge("feed_pending_windows", "Listed windows that wait for the feed.", "event");
  const backfill = gauge("backfill_windows", "Windows of queued backfills, by state.", "state");
  const cacheReads = gauge("frame_cache_reads", "Frames read since the start, by where they were.", "result");
  const cacheBytes = gauge("frame_cache_bytes", "Bytes of cached frames.");
  let published = 0;

  const showCatalog = ({ events, publications: total }: CatalogFacts): void => {
    catalogUp.set(events === undefined ? 0 : 1);
    publications.inc(total - published);
    published = total;
    if (events === undefined) return;
    sequence.reset();
    age.reset();
    for (const { id, kind, latestSequence, endedAt } of events) {
      sequence.set({ event: id }, latestSequence);
      if (kind !== "operational-feed" || endedAt === null) continue;
      age.set({ event: id }, (sources.now().getTime() - Date.parse(endedAt)) / 1000);
    }
  };

  const showFeeds = (): void => {
    feedState.reset();
    feedPending.reset();
    for (const { eventId, state, pendingWindows } of sources.readFeeds()) {
      const event = eventId ?? "";
      for (const name of feedStates) feedState.set({ event, state: name }, name === state ? 1 : 0);
      feedPending.set({ event }, pendingWindows);
    }
  };

  const showBackfills = (counts: BackfillCounts | undefined): void => {
    backfill.reset();
    for (const [state, windows] of Object.entries(counts ?? {})) backfill.set({ state }, windows);
  };

  return async () => {
    const [facts, backfills] = await Promise.all([sources.readCatalog(), sources.readBackfills()]);
    showCatalog(facts);
    showBackfills(backfills);
    showFeeds();
    streams.set(sources.countStreams());
    const cache = sources.readFrameCache();
    if (cache === undefined) return;
    cacheReads.set({ result: "hit" }, cache.hits);
    cacheReads.set({ result: "miss" }, cache.misses);
    cacheBytes.set(cache.byteLength);
  };
}
