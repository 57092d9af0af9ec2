// A running feed for tests: a bucket server that the test fills, a data directory, the real loop, and a clock that
// the test sets.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { startBucketServer, type BucketServer } from "../../../support/bucket-server.ts";
import { makeGribMessage } from "../../../support/grib-files.ts";
import type { FeedHealth } from "../../../../shared/contract/feed-health.ts";
import type { ProductId } from "../../../../shared/contract/primitives.ts";
import { getProduct } from "../../../../shared/products/registry.ts";
import type { Catalog, FeedLogRecord } from "../../../catalog/catalog.ts";
import { atDirectory, type Stores } from "../../../catalog/stores/located-stores.ts";
import { openStores } from "../../../catalog/stores/open-stores.ts";
import type { FeedTiming } from "../feed-config.ts";
import { mrmsFileName } from "../../../pipeline/demo/mrms-file.ts";
import type { RenderPool } from "../../../pipeline/ingest/render-pool.ts";
import { createBucketSource } from "../bucket-source.ts";
import type { Feed } from "../feed.ts";
import type { FeedSource } from "../feed-source.ts";
import { dayPrefix } from "../mrms-name.ts";
import { startFeed } from "../start-feed.ts";
import { createSteppedClock, type SteppedClock } from "./stepped-clock.ts";

export interface FeedTrial {
  readonly server: BucketServer;
  readonly clock: SteppedClock;
  readonly catalog: Catalog;
  readonly directory: string;
  readonly stagingFolder: string;
  start(changes?: TrialChanges): Promise<Feed>;
  /** Adds a small file whose cells all hold `fill` to the bucket. Returns its key. */
  put(product: ProductId, observedAt: string, fill?: number): string;
  log(): Promise<readonly FeedLogRecord[]>;
  /** Returns the time of day, change and products of each revision. */
  story(): Promise<string[]>;
}

export interface TrialChanges {
  readonly timing?: Partial<FeedTiming>;
  readonly source?: FeedSource;
}

export const eventId = "conus-live";
export const limits = { answerMs: 2000, windowMs: 300, minWindowBytes: 1000 };

export const timing: FeedTiming = {
  pollMs: 120_000,
  pairWaitMs: 60_000,
  backoffMaxMs: 600_000,
  keepMs: 86_400_000,
};

export interface TrialPlace {
  /** Folder of the data directory. */
  readonly parent?: string;
  /** Opens other stores than those of the data directory, which then is only there for them. */
  readonly open?: (directory: string) => Promise<Stores>;
}

/** The caller closes the pool. */
export async function createFeedTrial(
  pool: RenderPool,
  startAt: string,
  { parent = tmpdir(), open }: TrialPlace = {},
): Promise<FeedTrial> {
  const directory = await mkdtemp(join(parent, "echotop-feed-"));
  const server = await startBucketServer();
  const clock = createSteppedClock(Date.parse(startAt));
  const { now } = clock.effects;
  const stores = await (open?.(directory) ??
    openStores(atDirectory(directory), { now, frameCacheByteLimit: 0 }));
  const { catalog, frames, sources, stagingFolder } = stores;
  const feeds: Feed[] = [];
  onTestFinished(async () => {
    for (const feed of feeds) await feed.close();
    await server.close();
    await stores.close();
    await rm(directory, { recursive: true, force: true });
  });
  const source = createBucketSource({ name: `bucket:${server.url}`, url: server.url, fetch, limits });
  return {
    server,
    clock,
    catalog,
    directory,
    stagingFolder,
    async start(changes = {}) {
      const feed = await startFeed({
        source: changes.source ?? source,
        eventId,
        label: "CONUS live",
        timing: { ...timing, ...changes.timing },
        catalog,
        frames,
        pool,
        stagingFolder,
        sources,
        effects: clock.effects,
      });
      feeds.push(feed);
      return feed;
    },
    put(productId, observedAt, fill = 10) {
      const product = getProduct(productId);
      const key = dayPrefix(product, Date.parse(observedAt)) + mrmsFileName(product, observedAt);
      const message = makeGribMessage({ product: productId, observedAt, fill });
      server.put(key, gzipSync(message, { level: 1 }), clock.effects.now().toISOString());
      return key;
    },
    log: () => catalog.listFeedLog({ limit: 20_000 }),
    async story() {
      const entries = (await catalog.listFeedLog({ limit: 20_000 })).filter(
        ({ kind }) => kind === "published",
      );
      return Promise.all(
        entries.map(async ({ observedAt, change, revisionId }) => {
          const layers = await catalog.listLayers(eventId, revisionId!);
          const shown = layers.map(({ productId }) => productId.slice(5, 9)).sort();
          return `${observedAt!.slice(11, 19)} ${change!} ${shown.join("+")}`;
        }),
      );
    },
  };
}

export function healthOf(feed: Feed): FeedHealth {
  return feed.health()[0]!;
}
