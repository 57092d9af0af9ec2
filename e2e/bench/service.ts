// A service on PostgreSQL: publications of four nodes with a synchronous standby, notices to another node, reads from a
// million revisions against a hundred, two readers against one, and failovers. Real disks (`fsync`); clients and
// engines share the processors. `ECHOTOP_BENCH=short` tries every row with small numbers.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFolderObjectStore } from "../../electron/catalog/objects/engines/folder-object-store.ts";
import {
  migrateServiceCatalog,
  openServiceCatalog,
  type ServiceCatalog,
} from "../../electron/catalog/postgres/open-service-catalog.ts";
import { openDatabase } from "../../electron/platform/postgres/database.ts";
import { startPostgresPair } from "../../electron/support/engines/postgres-pair.ts";
import { hasPostgres } from "../../electron/support/engines/postgres-programs.ts";
import { postgresPassword, type PostgresServer } from "../../electron/support/engines/postgres-server.ts";
import type { BenchRow } from "./bench-row.ts";
import { fill, frameId, toServiceDraft } from "./service/crowded-database.ts";
import { measureFailovers } from "./service/failover-time.ts";
import { measureReaderLoad } from "./service/reader-load.ts";
import { measureReaderNotices } from "./service/reader-notices.ts";
import { isShort, quantile, toRow } from "./service/service-row.ts";
import { measureMisses } from "./service/told-and-read.ts";
import { startTwoReaders } from "./service/two-readers.ts";

const writerCount = 4;
const publicationsOfEach = isShort ? 5 : 250;
const noticeCount = isShort ? 5 : 200;
const reads = isShort ? 10 : 1_000;
const windows = isShort ? 2 : 100;
const sizes = { ours: isShort ? 1_000 : 1_000_000, peer: 100 };
const windowLength = 360;
const leastRate = 100;

export async function run(): Promise<BenchRow[]> {
  if (!hasPostgres)
    return [toRow({ name: "a service on PostgreSQL", metric: "-", ours: null, target: "-", met: null })];
  process.env.PGPASSWORD = postgresPassword;
  const settings = {
    fsync: "on",
    shared_buffers: "256MB",
    max_wal_size: "4GB",
    maintenance_work_mem: "128MB",
  };
  const pair = await startPostgresPair({ settings });
  const folder = await mkdtemp(join(tmpdir(), "echotop-bench-"));
  const objects = createFolderObjectStore({ folder });
  const open = (url: string): Promise<ServiceCatalog> => openServiceCatalog({ url, objects });
  try {
    return [
      ...(await measureTwoReaders(folder, pair.primary)),
      ...(await measureWrites(pair.primary, open)),
      ...(await measureReads(pair.primary, open)),
      ...(await measureFailovers(pair, await createCatalog(pair.primary), open)),
    ];
  } finally {
    await pair.remove();
    await rm(folder, { recursive: true });
  }
}

async function measureTwoReaders(folder: string, server: PostgresServer): Promise<BenchRow[]> {
  const service = await startTwoReaders(folder, server);
  try {
    return [
      ...(await measureReaderLoad(service)),
      ...(await measureReaderNotices(service)),
      ...(await measureMisses(service)),
    ];
  } finally {
    await service.close();
  }
}

type Open = (url: string) => Promise<ServiceCatalog>;

async function createCatalog(server: PostgresServer): Promise<string> {
  const url = server.url(await server.createDatabase());
  await migrateServiceCatalog({ url });
  return url;
}

async function measureWrites(server: PostgresServer, open: Open): Promise<BenchRow[]> {
  const url = await createCatalog(server);
  const nodes = await Promise.all(Array.from({ length: writerCount }, () => open(url)));
  await nodes[0]!.blobs.add(frameId, `frames/${frameId}`, 1);
  const publish = async (node: ServiceCatalog, writer: number): Promise<void> => {
    for (let round = 1; round <= publicationsOfEach; round += 1) {
      await node.publish(toServiceDraft(`event-${writer % 2}`, round * writerCount + writer));
    }
  };
  const startedMs = performance.now();
  await Promise.all(nodes.map(publish));
  const seconds = (performance.now() - startedMs) / 1_000;
  const rate = (writerCount * publicationsOfEach) / seconds;
  const delays = await measureNotices(nodes[0]!, nodes[1]!);
  await Promise.all(nodes.map((node) => node.close()));
  return [
    toRow({
      ...{ name: "4 writers, 2 events, standby", metric: "publications/s", ours: rate },
      ...{ target: `>= ${leastRate}`, met: rate >= leastRate },
    }),
    ...([0.99, 0.5] as const).map((share) =>
      toRow({
        ...{ name: "publish to another node's notice", metric: `ms p${share * 100}` },
        ...{ ours: quantile(delays, share), target: "-", met: null },
      }),
    ),
  ];
}

/** Returns the times from the answer of `publish` to the other node's call. */
async function measureNotices(writer: ServiceCatalog, told: ServiceCatalog): Promise<number[]> {
  const delays: number[] = [];
  let arrived: (() => void) | undefined;
  const stop = told.onChange(() => arrived?.());
  for (let round = 1; round <= noticeCount; round += 1) {
    const notice = new Promise<void>((resolve) => {
      arrived = () => {
        void told.listNotices("notices", round - 1, 1).then((list) => {
          if (list.length > 0) resolve();
        });
      };
    });
    const published = writer.publish(toServiceDraft("notices", round)).then(() => performance.now());
    await notice;
    const noticedMs = performance.now();
    delays.push(Math.max(0, noticedMs - (await published)));
  }
  stop();
  return delays;
}

async function measureReads(server: PostgresServer, open: Open): Promise<BenchRow[]> {
  const ours = await measureSize(server, open, sizes.ours);
  const peer = await measureSize(server, open, sizes.peer);
  const names = {
    latest: "latest revision",
    hasFrame: "hasFrame",
    window: `a window of ${windowLength}, new node`,
  };
  const targets = { latest: 5, hasFrame: 5, window: 60 };
  return (["latest", "hasFrame", "window"] as const).map((key) => {
    const value = quantile(ours[key], 0.99);
    return toRow({
      ...{ name: `${names[key]}, ${sizes.ours} revisions`, metric: "ms p99", ours: value },
      peer: { value: quantile(peer[key], 0.99), name: `${sizes.peer} revisions` },
      ...{ target: `<= ${targets[key]}`, met: value <= targets[key] },
    });
  });
}

interface ReadTimes {
  readonly latest: number[];
  readonly hasFrame: number[];
  readonly window: number[];
}

async function measureSize(server: PostgresServer, open: Open, count: number): Promise<ReadTimes> {
  const url = await createCatalog(server);
  const database = await openDatabase({ url });
  await fill(database, "a", count);
  await database.close();
  const node = await open(url);
  const times: ReadTimes = { latest: [], hasFrame: [], window: [] };
  const time = async (into: number[], read: () => Promise<unknown>): Promise<void> => {
    const startedMs = performance.now();
    await read();
    into.push(performance.now() - startedMs);
  };
  for (let round = 0; round < reads; round += 1) {
    await time(times.latest, () => node.findLatestRevision("a"));
    await time(times.hasFrame, () => node.hasFrame("a", "mrms-mesh", frameId));
  }
  for (let round = 0; round < windows; round += 1) {
    const fresh = await open(url);
    await fresh.findEvent("a");
    await time(times.window, () => fresh.listRevisions("a", windowLength));
    await fresh.close();
  }
  await node.close();
  return times;
}
