// Feeds as users run them: `serve --feed` and `fetch` as processes, against a local bucket and a folder.
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { mrmsFileName } from "../../electron/pipeline/demo/mrms-file.ts";
import { dayPrefix } from "../../electron/sources/feeds/mrms-name.ts";
import { FeedList, type FeedHealth } from "../../shared/contract/feed-health.ts";
import { MrmsManifest } from "../../shared/contract/manifest.ts";
import { productIds, type ProductId } from "../../shared/contract/primitives.ts";
import { getProduct } from "../../shared/products/registry.ts";
import { startBucketServer, type BucketServer } from "../../electron/support/bucket-server.ts";
import { makeGribMessage } from "../../electron/support/grib-files.ts";
import {
  makeTemporaryDirectory,
  removeDirectory,
  runCommand,
  startHost,
  type RunningHost,
} from "../../electron/support/host-process.ts";

const quick = { feed: { poll_seconds: 1, pair_wait_seconds: 1, backoff_max_seconds: 1 } };
const waiting = { timeout: 20_000, interval: 100 };

function makeRoot(): string {
  const root = makeTemporaryDirectory("feed");
  onTestFinished(() => {
    removeDirectory(root);
  });
  writeFileSync(join(root, "echotop.json"), JSON.stringify(quick));
  return root;
}

async function openBucket(): Promise<BucketServer> {
  const server = await startBucketServer();
  onTestFinished(() => server.close());
  return server;
}

async function serve(root: string, feed: string): Promise<RunningHost> {
  const args = ["--config", join(root, "echotop.json"), "--feed", feed, "--feed-event", "live"];
  const host = await startHost(join(root, "data"), args);
  onTestFinished(async () => {
    await host.stop();
  });
  return host;
}

function makeFile(product: ProductId, observedAt: string): Uint8Array {
  return gzipSync(makeGribMessage({ product, observedAt, fill: 30 }));
}

function keyOf(product: ProductId, observedAt: string): string {
  const known = getProduct(product);
  return dayPrefix(known, Date.parse(observedAt)) + mrmsFileName(known, observedAt);
}

/** Returns the time some minutes ago, to the second. */
function ago(minutes: number): string {
  return new Date(Math.floor(Date.now() / 1000) * 1000 - minutes * 60_000).toISOString();
}

async function readFeed({ origin }: RunningHost): Promise<FeedHealth> {
  const response = await fetch(`${origin}/app/feeds`);
  return FeedList.parse(await response.json()).feeds[0]!;
}

async function readManifest({ origin }: RunningHost): Promise<MrmsManifest> {
  const response = await fetch(`${origin}/v1/storm-events/live/manifest`);
  return MrmsManifest.parse(await response.json());
}

test("serve follows a bucket, reports its health, and continues after an outage", async () => {
  const server = await openBucket();
  const root = makeRoot();
  const first = ago(6);
  for (const product of productIds) server.put(keyOf(product, first), makeFile(product, first));
  const host = await serve(root, `bucket:${server.url}`);
  await vi.waitFor(async () => {
    expect((await readFeed(host)).counts.published).toBe(1);
  }, waiting);
  const manifest = await readManifest(host);
  expect(manifest.layers.map(({ sourceUrl }) => sourceUrl)).toEqual(
    ["mrms-reflectivity", "mrms-mesh"].map((id) => server.url + keyOf(id as ProductId, first)),
  );
  server.misbehaviors.add((_request, response) => {
    response.writeHead(500).end();
    return true;
  });
  await vi.waitFor(async () => {
    expect(await readFeed(host)).toMatchObject({
      state: "link-down",
      linkProblem: expect.any(String) as string,
    });
  }, waiting);
  const second = ago(3);
  server.put(keyOf("mrms-mesh", second), makeFile("mrms-mesh", second));
  server.misbehaviors.clear();
  await vi.waitFor(async () => {
    expect(await readFeed(host)).toMatchObject({ state: "current", linkProblem: null });
    expect((await readManifest(host)).sequence).toBe(2);
  }, waiting);
  expect(await host.stop()).toBe(0);
  const verified = await runCommand(["verify", "--data", join(root, "data")]);
  expect(verified.lines.at(-1)).toMatchObject({ verified: true, revisions: 2 });
  const log = await runCommand(["log", "--data", join(root, "data")]);
  const kinds = log.lines.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind !== "received")).toEqual([
    "started",
    "published",
    "link-down",
    "link-up",
    "published",
    "stopped",
  ]);
});

test("serve watches a folder: a rename and a slow copy", async () => {
  const root = makeRoot();
  const incoming = join(root, "incoming");
  mkdirSync(incoming);
  const host = await serve(root, `folder:${incoming}`);
  const observedAt = ago(4);
  const [mesh, reflectivity] = productIds.map((product) => ({
    bytes: makeFile(product, observedAt),
    path: join(incoming, mrmsFileName(getProduct(product), observedAt)),
  }));
  writeFileSync(`${mesh!.path}.part`, mesh!.bytes);
  renameSync(`${mesh!.path}.part`, mesh!.path);
  appendFileSync(reflectivity!.path, reflectivity!.bytes.subarray(0, 100));
  await vi.waitFor(async () => {
    expect((await readFeed(host)).counts).toMatchObject({ published: 1, failed: 0 });
  }, waiting);
  appendFileSync(reflectivity!.path, reflectivity!.bytes.subarray(100));
  await vi.waitFor(async () => {
    expect((await readFeed(host)).counts).toMatchObject({ published: 2, completions: 1, failed: 0 });
  }, waiting);
  const { layers } = await readManifest(host);
  expect(layers).toHaveLength(2);
  for (const { sourceUrl } of layers) expect(sourceUrl).toMatch(/^ni:\/\/\/sha-256;/);
});

test("fetch names failed files, exits with status 1, and completes the event in a second run", async () => {
  const server = await openBucket();
  const root = makeRoot();
  const data = join(root, "data");
  const times = ["21:00:39", "21:02:39", "21:06:39"].map((time) => `2024-05-20T${time}Z`);
  for (const time of times)
    for (const product of productIds) server.put(keyOf(product, time), makeFile(product, time));
  const bad = keyOf("mrms-mesh", times[1]!);
  const good = server.objects.get(bad)!;
  server.put(bad, Buffer.from("not GRIB2"));
  const window = ["--start", "2024-05-20T21:00:00Z", "--end", "2024-05-20T21:08:00Z"];
  await runCommand(["register", "--data", data, "--event", "bench", "--label", "Bench", ...window]);
  const command = ["fetch", "--data", data, "--event", "bench", "--source", `bucket:${server.url}`];
  const first = await runCommand(command);
  expect(first.status).toBe(1);
  const failed = first.lines.filter(({ status }) => status === "failed");
  expect(failed).toMatchObject([
    { file: server.url + bad, product: "mrms-mesh", error: expect.any(String) as string },
  ]);
  expect(first.lines.filter(({ status }) => status === "complete")).toHaveLength(5);
  expect(first.lines.filter(({ status }) => status === "missing")).toEqual(
    productIds.map((product) => ({
      product,
      status: "missing",
      from: "2024-05-20T21:04:00Z",
      to: "2024-05-20T21:06:00Z",
      windows: 1,
    })),
  );
  server.objects.set(bad, good);
  const second = await runCommand(command);
  expect(second.status).toBe(0);
  expect(second.lines.filter(({ status }) => status === "complete")).toMatchObject([{ sequence: 4 }]);
  expect(second.stderr).toMatch(/5 were already here.*The event is complete/);
});

test.each([
  [["serve", "--feed", "ftp://x"]],
  [["serve", "--feed", "bucket:nowhere"]],
  [["serve", "--feed-event", "x"]],
  [["fetch"]],
  [["fetch", "--event", "x", "--source", "mirror:http://127.0.0.1:1"]],
])("%j is a wrong command line", async (args) => {
  const { status, stderr } = await runCommand([...args, "--data", join(makeRoot(), "data")]);
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^echotop: /) as string]);
});
