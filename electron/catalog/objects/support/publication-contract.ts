// A test of the whole: writers publish frames through PostgreSQL and a real object store in trouble, while retention
// and the sweep remove old ones.
import { expect, onTestFinished, test } from "vitest";
import { isAppError } from "../../../../shared/app-error.ts";
import { createRandom } from "../../../pipeline/demo/random.ts";
import type { PostgresServer } from "../../../support/engines/postgres-server.ts";
import type { Fault } from "../../../support/engines/fault-proxy.ts";
import type { FrameStore } from "../../files/frame-store.ts";
import {
  migrateServiceCatalog,
  openServiceCatalog,
  type ServiceCatalog,
} from "../../postgres/open-service-catalog.ts";
import { publishAgainWhileFramesVanish } from "../../stores/frame-vanished.ts";
import { draftOf, findPicture } from "../../support/drafts.ts";
import { openObjectFrameStore } from "../object-frame-store.ts";
import type { ObjectStore } from "../object-store.ts";
import { removeOrphans } from "../sweep-objects.ts";
import type { TestBucket } from "./test-bucket.ts";

const writers = 4;
const rounds = 15;
const faults: readonly Fault[] = [500, 503, "cut", "silent", "lie", "damage"];

interface Node {
  readonly catalog: ServiceCatalog;
  readonly frames: FrameStore;
}

/** Registers the test. */
export function testPublication(openPostgres: () => PostgresServer, openBucket: () => TestBucket): void {
  test("what was published can be read, and nothing else is kept", { timeout: 300_000 }, async () => {
    const { objects, proxy, server } = openBucket();
    const url = openPostgres().url(await openPostgres().createDatabase());
    await migrateServiceCatalog({ url });
    const open = (): Promise<Node> => openNode(url, objects);
    await removeAll(objects);
    const random = createRandom(7);
    proxy.choose = () => (random() < 0.1 ? faults[Math.floor(random() * faults.length)] : undefined);
    onTestFinished(() => {
      proxy.choose = () => undefined;
    });

    const sequences: number[] = [];
    let areAllKilled = false;
    const write = async (writer: number): Promise<void> => {
      const node = await open();
      for (let round = 0; round < rounds || !areAllKilled; round += 1) {
        // Writers show each other's pictures later, some after retention has removed them.
        const message = `m${(round * 3 + writer) % 11}`;
        const seconds = round * 600 + writer;
        sequences.push(await publish(node, message, seconds));
        if (writer === 0) await again(() => node.catalog.prune("live", 1_200_000));
      }
    };
    const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    for (const part of server.parts) {
      const before = sequences.length;
      await expect.poll(() => sequences.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(before + 4);
      await server.kill(part);
      await server.restart(part);
    }
    areAllKilled = true;
    await writing;
    proxy.choose = () => undefined;

    expect(sequences.toSorted((left, right) => left - right)).toEqual(
      Array.from({ length: sequences.length }, (_, index) => index + 1),
    );
    const reader = await open();
    await reader.catalog.prune("live", 1_200_000);
    const shown = await expectFrames(reader);
    await removeOrphans({ objects, blobs: reader.catalog.blobs, safeAgeMs: 0 });
    await expectFrames(await open());
    const kept = await reader.catalog.blobs.findAll([...shown]);
    const left: string[] = [];
    for await (const { key } of objects.list("frames/")) left.push(key);
    expect(left.toSorted()).toEqual([...kept.values()].toSorted());
  });
}

async function openNode(url: string, objects: ObjectStore): Promise<Node> {
  const catalog = await openServiceCatalog({ url, objects });
  onTestFinished(() => catalog.close());
  return { catalog, frames: await openObjectFrameStore({ objects, blobs: catalog.blobs }) };
}

async function removeAll(objects: ObjectStore): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of objects.list("")) keys.push(key);
  await objects.remove(keys);
}

/** Tries again while the store is in trouble. */
async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isAppError(error, "storage-unavailable") && !isAppError(error, "storage-failed")) throw error;
    }
  }
}

/** Publishes the picture of a message. Returns the sequence. */
async function publish({ catalog, frames }: Node, message: string, seconds: number): Promise<number> {
  const draft = draftOf("live", { seconds, message });
  const picture = findPicture(draft.layers[0]!.frameId)!;
  const outcome = await again(() =>
    publishAgainWhileFramesVanish(async () => {
      await frames.put(picture);
      return catalog.publish({ ...draft, event: { id: "live", kind: "operational-feed" } });
    }),
  );
  return outcome.revision!.sequence;
}

/** Reads every frame of every revision. Returns their ids. */
async function expectFrames({ catalog, frames }: Node): Promise<ReadonlySet<string>> {
  const revisions = await catalog.listRevisions("live", 1_000);
  expect(revisions.length).toBeGreaterThan(0);
  const ids = new Set(
    revisions.flatMap(
      ({ manifest }) =>
        Buffer.from(manifest)
          .toString()
          .match(/[0-9a-f]{64}(?=\.png)/g) ?? [],
    ),
  );
  expect(ids.size).toBeGreaterThan(2);
  for (const id of ids) expect(await frames.read(id)).toBeDefined();
  return ids;
}
