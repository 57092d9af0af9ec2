// A feed that follows a folder: a whole pair at once, corrections of files that change later, and the net below the
// system's notification.
import { mkdirSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ProductId } from "../../../shared/contract/primitives.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import { mrmsFileName } from "../../pipeline/demo/mrms-file.ts";
import { createRenderPool, type RenderPool } from "../../pipeline/ingest/render-pool.ts";
import { makeGribMessage } from "../../support/grib-files.ts";
import type { Feed } from "./feed.ts";
import type { FeedSource } from "./feed-source.ts";
import { createFolderSource } from "./folder-source.ts";
import { createFeedTrial, type FeedTrial } from "./support/feed-trial.ts";

let pool: RenderPool;
beforeAll(() => {
  pool = createRenderPool({
    workerUrl: new URL("../../pipeline/ingest/render-worker.ts", import.meta.url),
    size: 1,
  });
});
afterAll(() => pool.close());

/** Files are younger than the quiet time: the stepped clock starts at the real time. */
const startMs = Date.now();
const observedAt = `${new Date(startMs - 120_000).toISOString().slice(0, 19)}Z`;
const first = `${observedAt.slice(11, 19)} first mesh+refl`;

interface FolderTrial extends FeedTrial {
  /** The source calls this when the folder may have changed; the trial decides when. */
  readonly notice: () => void;
  /** Runs once, after the next listing of the folder and before the feed has its result. */
  readonly afterListing: (run: () => void) => void;
  readonly path: (product: ProductId, observedAt?: string) => string;
  readonly feed: Feed;
}

async function open(): Promise<FolderTrial> {
  const trial = await createFeedTrial(pool, new Date(startMs).toISOString());
  const directory = join(trial.directory, "incoming");
  mkdirSync(directory);
  const folder = createFolderSource({ directory, now: trial.clock.effects.now });
  let notice = (): void => undefined;
  let afterListing = (): void => undefined;
  const source: FeedSource = {
    name: folder.name,
    mostPauseMs: folder.mostPauseMs!,
    list: async (range, signal) => {
      const listing = await folder.list(range, signal);
      const run = afterListing;
      afterListing = () => undefined;
      run();
      return listing;
    },
    download: (asset, options) => folder.download(asset, options),
    toSourceUrl: () => undefined,
    watch: (onChange) => {
      notice = onChange;
      return () => undefined;
    },
  };
  const feed = await trial.start({ source });
  await trial.clock.asleep();
  return {
    ...trial,
    notice: () => {
      notice();
    },
    afterListing: (run) => {
      afterListing = run;
    },
    path: (product, at = observedAt) => join(directory, mrmsFileName(getProduct(product), at, ".grib2.gz")),
    feed,
  };
}

function fileOf(product: ProductId, fill: number): Buffer {
  return gzipSync(makeGribMessage({ product, observedAt, fill }));
}

function renameInto(path: string, bytes: Uint8Array): void {
  writeFileSync(`${path}.part`, bytes);
  renameSync(`${path}.part`, path);
}

test("a pair that is renamed into the folder is published without a quiet time", async () => {
  const trial = await open();
  for (const product of ["mrms-mesh", "mrms-reflectivity"] as const) {
    renameInto(trial.path(product), fileOf(product, 30));
  }
  trial.notice();
  await trial.clock.runUntil(startMs + 100);
  expect(await trial.story()).toEqual([first]);
});

test("a file that is renamed while the folder is listed is not left for the next poll", async () => {
  const trial = await open();
  renameInto(trial.path("mrms-mesh"), fileOf("mrms-mesh", 30));
  trial.afterListing(() => {
    renameInto(trial.path("mrms-reflectivity"), fileOf("mrms-reflectivity", 30));
    trial.notice();
  });
  trial.notice();
  await trial.clock.runUntil(startMs + 200);
  expect(await trial.story()).toEqual([first]);
});

test("without the system's notification a pair is found within seconds, whatever the polling interval", async () => {
  const trial = await open();
  for (const product of ["mrms-mesh", "mrms-reflectivity"] as const) {
    renameInto(trial.path(product), fileOf(product, 30));
  }
  await trial.clock.runUntil(startMs + 6000);
  expect(await trial.story()).toEqual([first]);
});

test("a file that is written again in place corrects its window, and is not used while it is cut short", async () => {
  const trial = await open();
  for (const product of ["mrms-mesh", "mrms-reflectivity"] as const) {
    renameInto(trial.path(product), fileOf(product, 30));
  }
  trial.notice();
  await trial.clock.runUntil(startMs + 100);
  const path = trial.path("mrms-mesh");
  truncateSync(path, 40);
  trial.notice();
  await trial.clock.runUntil(startMs + 30_000);
  expect(await trial.story()).toEqual([first]);
  writeFileSync(path, fileOf("mrms-mesh", 40));
  trial.notice();
  await trial.clock.runUntil(startMs + 30_100);
  expect(await trial.story()).toEqual([first, `${observedAt.slice(11, 19)} correction mesh+refl`]);
});

test("the newest file of a folder of past files is reported, and not published", async () => {
  const trial = await open();
  for (const pastAt of ["2024-05-20T21:00:39Z", "2024-05-20T21:02:39Z"]) {
    renameInto(trial.path("mrms-mesh", pastAt), fileOf("mrms-mesh", 30));
  }
  trial.notice();
  await trial.clock.runUntil(startMs + 100);
  expect(await trial.story()).toEqual([]);
  const [health] = trial.feed.health();
  expect(health).toMatchObject({ state: "source-idle", pendingWindows: 0 });
  expect(health?.products.find(({ productId }) => productId === "mrms-mesh")).toMatchObject({
    ...{ newestListedAt: "2024-05-20T21:02:39Z", newestPublishedAt: null, lastFailure: null },
  });
});
