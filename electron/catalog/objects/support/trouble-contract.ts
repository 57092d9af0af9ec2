// Tests of blobs over a real server that is in trouble: nothing acknowledged is lost, and no wrong byte is served.
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { Fault } from "../../../support/engines/fault-proxy.ts";
import { isAppError } from "../../../../shared/app-error.ts";
import { mapLimited } from "../../../platform/locks/limit.ts";
import { createRandom } from "../../../pipeline/demo/random.ts";
import { sha256Of } from "../../../platform/sha256.ts";
import { createBlobStore, type BlobStore } from "../blob-store.ts";
import { createMemoryBlobIndex } from "./memory-blob-index.ts";
import type { TestBucket } from "./test-bucket.ts";

const kind = "frames";

/** Registers the tests. */
export function testTrouble(open: () => TestBucket): void {
  /** Stores blobs, four at once, again and again until all are acknowledged. */
  const putAll = async (store: BlobStore, blobs: readonly Buffer[]): Promise<void> => {
    await mapLimited(blobs, 4, async (bytes) => {
      for (;;) {
        try {
          await store.put(bytes);
          return;
        } catch (error) {
          if (!isAppError(error)) throw error;
        }
      }
    });
  };
  const expectAll = async (store: BlobStore, blobs: readonly Buffer[]): Promise<void> => {
    for (const bytes of blobs) {
      const stored = await store.read(sha256Of(bytes));
      expect(stored !== undefined && Buffer.compare(stored, bytes) === 0).toBe(true);
    }
  };
  const makeBlobs = (count: number): Buffer[] => Array.from({ length: count }, () => randomBytes(50_000));

  test.each<Fault>([500, 503, "cut", "silent", "damage", "stall"])(
    "a request that meets %s once is made again",
    async (fault) => {
      const { proxy, objects } = open();
      const store = createBlobStore({ objects, blobs: createMemoryBlobIndex(), kind });
      let faults: Fault[] = [fault];
      proxy.choose = () => faults.pop();
      const bytes = randomBytes(50_000);
      await store.put(bytes);
      expect(faults).toEqual([]);
      faults = [fault];
      await expectAll(store, [bytes]);
      expect(faults).toEqual([]);
    },
  );

  test("a server that accepts uploads and drops them is not believed", async () => {
    const { proxy, objects } = open();
    const blobs = createMemoryBlobIndex();
    const store = createBlobStore({ objects, blobs, kind });
    const bytes = randomBytes(50_000);
    proxy.choose = () => "lie";
    await expect(store.put(bytes)).rejects.toMatchObject({
      code: "storage-failed",
      detail: expect.stringContaining("`objects.url`") as string,
    });
    expect(blobs.rows.size).toBe(0);
    const faults: Fault[] = ["lie"];
    proxy.choose = (method) => (method === "PUT" ? faults.pop() : undefined);
    await store.put(bytes);
    expect(faults).toEqual([]);
    await expectAll(store, [bytes]);
  });

  test("a server in lasting trouble is reported after a few attempts", async () => {
    const { proxy, objects } = open();
    let requests = 0;
    proxy.choose = () => {
      requests += 1;
      return 503;
    };
    await expect(objects.get("frames/x")).rejects.toMatchObject({
      detail: expect.stringContaining("`objects.endpoint` answers with status 503") as string,
    });
    expect(requests).toBe(5);
    proxy.choose = () => undefined;
  });

  test("random trouble loses nothing that was acknowledged", { timeout: 120_000 }, async () => {
    const { proxy, objects } = open();
    const store = createBlobStore({ objects, blobs: createMemoryBlobIndex(), kind });
    const random = createRandom(1);
    const faults: Fault[] = [500, 503, "cut", "silent", "lie", "damage"];
    let count = 0;
    proxy.choose = () => {
      if (random() > 0.3) return undefined;
      count += 1;
      return faults[Math.floor(random() * faults.length)];
    };
    const blobs = makeBlobs(40);
    await putAll(store, blobs);
    proxy.choose = () => undefined;
    await expectAll(store, blobs);
    expect(count).toBeGreaterThan(20);
  });

  test(
    "killing each part during uploads loses nothing that was acknowledged",
    { timeout: 180_000 },
    async () => {
      const { server, objects } = open();
      const store = createBlobStore({ objects, blobs: createMemoryBlobIndex(), kind });
      const first = makeBlobs(10);
      await putAll(store, first);
      for (const part of server.parts) {
        const blobs = makeBlobs(20);
        const acknowledged: Buffer[] = [];
        const uploads = mapLimited(blobs, 4, async (bytes) => {
          await putAll(store, [bytes]);
          acknowledged.push(bytes);
        });
        await expect.poll(() => acknowledged.length, { timeout: 60_000, interval: 1 }).toBeGreaterThan(3);
        await server.kill(part);
        await server.restart(part);
        await uploads;
        await expectAll(store, [...first, ...blobs]);
      }
    },
  );
}
