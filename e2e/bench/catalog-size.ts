// Row 8: reads from a catalog of 100,000 revisions against one of 100, over HTTP. A commit precedes each request, so
// that no response comes from a cache. Alternating rounds in one process.
import { join } from "node:path";
import type { Catalog, PublishDraft } from "../../electron/catalog/catalog.ts";
import { openDatabase, writeTransaction } from "../../electron/catalog/sqlite/catalog-database.ts";
import { createFrameStore } from "../../electron/catalog/files/file-frame-store.ts";
import { openCatalog } from "../../electron/catalog/sqlite/open-catalog.ts";
import { checkPublication } from "../../electron/catalog/plans/plan-publication.ts";
import { createPublication } from "../../electron/catalog/sqlite/writing/publish-revision.ts";
import { createPrepare } from "../../electron/catalog/sqlite/queries.ts";
import { historyLimit } from "../../shared/contract/index.ts";
import { toPath } from "../../shared/contract/operations.ts";
import { productIds } from "../../shared/contract/primitives.ts";
import { windowMs } from "../../shared/revisions/observation-window.ts";
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import { startLocalHost, type LocalHost } from "../support/local-host.ts";
import type { BenchRow } from "./bench-row.ts";
import { median } from "./timed-process.ts";

const sizes = { ours: 100_000, peer: 100 } as const;
const eventId = "bench";
const rounds = 80;
const warmUpRounds = 10;
const leastRatio = 0.5;
/** Revisions inserted per transaction. */
const batch = 2_000;
const firstMs = Date.UTC(2024, 0, 1);

interface Question {
  readonly name: string;
  readonly metric: string;
  /** Asked of a catalog of this many revisions. */
  readonly path: (revisions: number) => string;
  /** Returns the number of items in a response, in the unit of `metric`. */
  readonly count: (body: unknown) => number;
}

const questions: readonly Question[] = [
  {
    name: "list of events after a commit",
    metric: "answers/s",
    path: () => toPath("listStormEvents"),
    count: () => 1,
  },
  {
    name: "latest manifest after a commit",
    metric: "answers/s",
    path: () => toPath("getLatestManifest", { eventId }),
    count: () => 1,
  },
  {
    name: `window of ${historyLimit.max} after a commit`,
    metric: "revisions/s",
    path: () => `${toPath("listRevisions", { eventId })}?limit=${historyLimit.max}`,
    count: countFrames,
  },
  {
    name: "newest page with changes after a commit",
    metric: "revisions/s",
    path: () => toPath("listRevisionPage", { eventId }),
    count: countFrames,
  },
  {
    name: "page in the middle after a commit",
    metric: "revisions/s",
    path: (revisions) => `${toPath("listRevisionPage", { eventId })}?before=${revisions / 2}`,
    count: countFrames,
  },
];

/** The small catalog has fewer than a full window. */
function countFrames(body: unknown): number {
  return (body as { frames: unknown[] }).frames.length;
}

export async function run(): Promise<BenchRow[]> {
  const ours = await openSide(sizes.ours);
  const peer = await openSide(sizes.peer);
  try {
    const rows: BenchRow[] = [];
    for (const question of questions) rows.push(await compare(question, ours, peer));
    return rows;
  } finally {
    await ours.close();
    await peer.close();
  }
}

interface Side {
  readonly revisions: number;
  readonly host: LocalHost;
  /** Commits a change from outside the host. */
  readonly commit: () => Promise<void>;
  readonly close: () => Promise<void>;
}

async function openSide(revisions: number): Promise<Side> {
  const directory = makeTemporaryDirectory(`bench-size-${revisions}`);
  const writer = await openCatalog({ directory, now: () => new Date() });
  const frameId = await createFrameStore({ directory }).put(Buffer.from("one frame for all"));
  await seed(directory, revisions, frameId);
  const host = await startLocalHost(directory);
  return {
    revisions,
    host,
    commit: createCommit(writer, frameId),
    close: async () => {
      await host.close();
      await writer.close();
      removeDirectory(directory);
    },
  };
}

function createCommit(writer: Catalog, frameId: string): () => Promise<void> {
  let window = 0;
  return async () => {
    window += 1;
    await writer.publish(toDraft("other", window, frameId));
  };
}

/** Inserts the rows that publishing one by one would make, in large transactions. */
async function seed(directory: string, revisions: number, frameId: string): Promise<void> {
  const database = await openDatabase(join(directory, "catalog.sqlite"), "write");
  try {
    const writes = createPublication(createPrepare(database));
    const storedFrames = new Set([frameId]);
    for (let first = 0; first < revisions; first += batch) {
      await writeTransaction(database, "lazy", () => {
        for (let window = first; window < Math.min(first + batch, revisions); window += 1) {
          const publication = checkPublication(toDraft(eventId, window, frameId));
          writes.publish(publication, () => storedFrames, new Date(firstMs + window * windowMs));
        }
      });
    }
  } finally {
    database.close();
  }
}

function toDraft(id: string, window: number, frameId: string): PublishDraft {
  const observedAt = new Date(firstMs + window * windowMs).toISOString();
  const layers = productIds.map((productId) => ({
    productId,
    observedAt,
    frameId,
    bounds: [-100, 33, -94, 38] as [number, number, number, number],
    messageSha256: `${productId} ${window}`,
    sourceUrl: "ni:///sha-256;bench",
    sourceLastModified: undefined,
  }));
  return { event: { id }, layers, assetIds: [] };
}

async function compare(question: Question, ours: Side, peer: Side): Promise<BenchRow> {
  const rates: { ours: number[]; peer: number[] } = { ours: [], peer: [] };
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    // Reverses the order in every other round, so that neither side always goes first.
    const turns = [
      ["ours", ours],
      ["peer", peer],
    ] as const;
    for (const [name, side] of round % 2 === 0 ? turns : turns.toReversed()) {
      await side.commit();
      const rate = await ask(question, side);
      if (round >= 0) rates[name].push(rate);
    }
  }
  const ratio = median(rates.ours) / median(rates.peer);
  return {
    row: 8,
    name: question.name,
    metric: question.metric,
    ours: median(rates.ours),
    peer: median(rates.peer),
    peerName: `${sizes.peer} revisions instead of ${sizes.ours}`,
    ratio,
    target: `${leastRatio}x`,
    met: ratio >= leastRatio,
    note: `over HTTP, median of ${rounds} alternating rounds`,
  };
}

/** Requests repeatedly and returns the items received per second. */
async function ask({ path, count }: Question, { host, revisions }: Side): Promise<number> {
  const address = path(revisions);
  const startedMs = performance.now();
  const response = await fetch(host.origin + address);
  const body = await response.arrayBuffer();
  const elapsedMs = performance.now() - startedMs;
  if (response.status !== 200) throw new Error(`${address} responded with status ${response.status}.`);
  return (count(JSON.parse(Buffer.from(body).toString())) / elapsedMs) * 1000;
}
