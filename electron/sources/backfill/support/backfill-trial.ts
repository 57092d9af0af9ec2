// Workers of a service for tests: a real database whose clock the test sets, a folder of objects, and a bucket server
// that the test fills. The service has registered twenty minutes of a day that is over.
import { mkdir } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import type { ProductId } from "../../../../shared/contract/primitives.ts";
import { getProduct } from "../../../../shared/products/registry.ts";
import type { ServiceStores } from "../../../catalog/postgres/open-service-stores.ts";
import { openServiceStores } from "../../../catalog/postgres/open-service-stores.ts";
import { createServiceTrial, type ServiceTrial } from "../../../catalog/postgres/support/service-trial.ts";
import type { ServiceWork } from "../../../catalog/stores/backfill-queue.ts";
import { temporaryDirectory } from "../../../catalog/support/drafts.ts";
import { mrmsFileName } from "../../../pipeline/demo/mrms-file.ts";
import type { RenderPool } from "../../../pipeline/ingest/render-pool.ts";
import { createSystemEffects, type Effects } from "../../../platform/effects.ts";
import { startBucketServer, type BucketServer } from "../../../support/bucket-server.ts";
import type { PostgresServer } from "../../../support/engines/postgres-server.ts";
import { makeGribMessage } from "../../../support/grib-files.ts";
import { createFileSource } from "../../feeds/create-source.ts";
import { dayPrefix } from "../../feeds/mrms-name.ts";
import { fetchEvent } from "../../feeds/fetch-event.ts";
import { queueEvent, type QueueReport } from "../queue-event.ts";
import { startWorker, type RunningWorker } from "../start-worker.ts";

export const eventId = "plains-2024-05-20";
export const day = "2024-05-20T";
const nowMs = Date.parse("2024-05-27T00:00:00Z");

export interface TrialStores extends ServiceStores {
  readonly service: ServiceWork;
}

export interface BackfillTrial {
  readonly bucket: BucketServer;
  readonly service: ServiceTrial;
  /** Opens the stores as another process would. */
  readonly open: () => Promise<TrialStores>;
  readonly queue: () => Promise<QueueReport>;
  readonly startWorker: () => Promise<RunningWorker>;
  /** Runs one ordinary fetch. */
  readonly fetch: () => Promise<unknown>;
  /** Adds a small file whose cells all hold `fill` to the bucket. */
  readonly put: (product: ProductId, time: string, fill?: number) => void;
  /** Moves the database's clock forward. */
  readonly pass: (ms: number) => Promise<void>;
}

/** `clockErrorMs`: how far the clock of this process is ahead of the database's. */
export async function createBackfillTrial(
  server: PostgresServer,
  pool: RenderPool,
  clockErrorMs = 0,
): Promise<BackfillTrial> {
  const service = await createServiceTrial(server);
  const bucket = await startBucketServer();
  onTestFinished(() => bucket.close());
  const clock = { nowMs };
  await service.setClock(nowMs);
  const effects: Effects = {
    ...createSystemEffects(),
    now: () => new Date(clock.nowMs + clockErrorMs),
    sleep: (ms, signal) => delay(Math.min(ms, 100), undefined, { signal }),
    log: () => undefined,
  };
  const open = async (): Promise<TrialStores> => {
    const scratchFolder = await temporaryDirectory();
    const { url, objects } = service;
    const stores = await openServiceStores({ url, objects, scratchFolder, frameCacheByteLimit: 0 });
    await mkdir(stores.stagingFolder);
    onTestFinished(() => stores.close());
    return { ...stores, service: stores.service! };
  };
  const config = { kind: "bucket", url: bucket.url } as const;
  const source = createFileSource(config, effects);
  const { signal } = new AbortController();
  const first = await open();
  const window = { startedAt: `${day}21:00:00Z`, endedAt: `${day}21:20:00Z` };
  await first.catalog.registerEvent({ id: eventId, label: "Plains", ...window });
  const common = { ...first, pool, eventId, source, effects, signal };
  const ignored = { onFile: () => undefined, onMissing: () => undefined, onProgress: () => undefined };
  return {
    ...{ bucket, service, open },
    queue: () => queueEvent({ ...common, ...ignored, backfills: first.service.backfills, config }),
    fetch: () => fetchEvent({ ...common, ...ignored }),
    async startWorker() {
      const stores = await open();
      // The pool is the test file's.
      const openPool = (): RenderPool => ({ ...pool, close: () => Promise.resolve() });
      const worker = startWorker({ stores, service: stores.service, openPool, effects });
      onTestFinished(() => worker.close());
      return worker;
    },
    put(productId, time, fill = 10) {
      const product = getProduct(productId);
      const observedAt = `${day}${time}Z`;
      const key = dayPrefix(product, Date.parse(observedAt)) + mrmsFileName(product, observedAt);
      bucket.put(key, gzipSync(makeGribMessage({ product: productId, observedAt, fill }), { level: 1 }));
    },
    async pass(ms) {
      clock.nowMs += ms;
      await service.setClock(clock.nowMs);
    },
  };
}
