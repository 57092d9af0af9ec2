import { randomBytes } from "node:crypto";
import v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { deflateSync, constants } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pushedPackfileLimits, PackRefused, type PackfileLimits } from "./packfile-limits.ts";
import { scanPackfile } from "./packfile-scanner.ts";
import { makeDelta, makePack, type PackEntry } from "./support/make-pack.ts";

const limits = pushedPackfileLimits(2 ** 31);

async function* pieces(bytes: Buffer, byteLength: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += byteLength) {
    yield await Promise.resolve(bytes.subarray(from, from + byteLength));
  }
}

async function scan(pack: Buffer, byteLength = 65_536, given: PackfileLimits = limits): Promise<Buffer> {
  const passed: Buffer[] = [];
  for await (const piece of scanPackfile(pieces(pack, byteLength), given)) passed.push(Buffer.from(piece));
  return Buffer.concat(passed);
}

const refusal = (pack: Buffer, given = limits) =>
  scan(pack, 65_536, given).then(
    () => "passed",
    (error: unknown) => (error instanceof PackRefused ? error.message : error),
  );

v8.setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes of buffers, after a collection. */
function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

const blob = (content: Buffer): PackEntry => ({ type: 3, content });
const mixed: readonly PackEntry[] = [
  blob(Buffer.alloc(0)),
  blob(Buffer.from("hello")),
  blob(randomBytes(200_000)),
  { type: 7, base: Buffer.alloc(20, 7), content: makeDelta(100, 50, 3) },
  blob(Buffer.alloc(3_000_000, "ab")),
  { type: 6, base: Buffer.from([0x81, 0x05]), content: makeDelta(16, 16, 1) },
  blob(randomBytes(65_536)),
];

describe("scanning a pack", () => {
  test.each([1, 7, 100, 4096, 65_536, 2 ** 24])(
    "passes every byte on in order, from chunks of %i bytes",
    async (size) => {
      const pack = makePack(size < 100 ? mixed.filter(({ content }) => content.length < 100_000) : mixed);
      expect((await scan(pack, size)).equals(pack)).toBe(true);
    },
  );

  test("an empty pack, and objects with empty deflate blocks, are valid", async () => {
    const empty = makePack([]);
    expect(await scan(empty)).toEqual(empty);
    const padding = Buffer.concat(Array.from({ length: 500 }, () => Buffer.from([0, 0, 0, 0xff, 0xff])));
    const plain = deflateSync(Buffer.from("x"), { level: 0 });
    const padded = Buffer.concat([plain.subarray(0, 2), padding, plain.subarray(2)]);
    const pack = makePack([{ type: 3, content: Buffer.from("x"), deflated: padded }, blob(Buffer.from("y"))]);
    expect(await scan(pack)).toEqual(pack);
  });

  test("a pack truncated at any byte is refused, and its checksum is never passed on", async () => {
    const pack = makePack(mixed.filter(({ content }) => content.length < 100));
    for (let length = 0; length < pack.length; length += 1) {
      const passed: Buffer[] = [];
      await expect(
        (async () => {
          for await (const piece of scanPackfile(pieces(pack.subarray(0, length), 16), limits))
            passed.push(piece);
        })(),
      ).rejects.toBeInstanceOf(PackRefused);
      expect(Buffer.concat(passed).length).toBeLessThanOrEqual(pack.length - 20);
    }
    expect(await refusal(Buffer.concat([pack, Buffer.from("x")]))).toBe("pack has junk at its end");
  });

  test("a wrong object size, an unknown type and a flipped byte are damage", async () => {
    for (const size of [4, 6, 100_000]) {
      expect(await refusal(makePack([{ type: 3, content: Buffer.from("hello"), size }]))).toBe(
        "pack is damaged",
      );
    }
    const large = randomBytes(1_500_000);
    for (const size of [1_499_999, 1_500_001]) {
      expect(await refusal(makePack([{ type: 3, content: large, size }]))).toBe("pack is damaged");
    }
    expect(await refusal(makePack([{ type: 5, content: Buffer.from("x") }]))).toBe("pack is damaged");
    expect(await refusal(Buffer.from("PUCK".padEnd(40)))).toBe("what was sent is not a pack");
  });

  test("bytes, objects, the size of one object and the result of one delta are limited", async () => {
    const small = {
      ...limits,
      maxPackBytes: 1000,
      maxObjects: 5,
      maxObjectBytes: 5000,
      maxDeltaResultBytes: 5000,
    };
    expect(await refusal(makePack([blob(randomBytes(1200))]), small)).toMatch(
      /^pack exceeds maximum allowed size/,
    );
    expect(await refusal(makePack([], 6), small)).toMatch(/more than 5 objects/);
    const larger = "pack holds an object that is larger than an object may be";
    expect(await refusal(makePack([blob(Buffer.alloc(6000))]), small)).toBe(larger);
    const delta = { type: 7, base: Buffer.alloc(20), content: makeDelta(4000, 3000, 2) };
    expect(await refusal(makePack([delta]), small)).toBe(larger);
  });
});

describe("a decompression bomb", () => {
  const more = "pack would unpack to far more than it may";

  test("of small deltas that would expand to gigabytes is refused from their headers", async () => {
    const base = blob(Buffer.alloc(2 ** 20));
    const deltas = Array.from({ length: 500 }, (_, index) => ({
      type: 7,
      base: Buffer.alloc(20, index),
      content: makeDelta(2 ** 20, 2 ** 20, 10),
    }));
    const startedMs = performance.now();
    expect(await refusal(makePack([base, ...deltas]))).toBe(more);
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });

  test("of zeros is refused by its compression ratio, without growing memory", async () => {
    const zeros = deflateSync(Buffer.alloc(64 * 2 ** 20), { level: constants.Z_BEST_SPEED });
    const entries = Array.from({ length: 40 }, () => ({
      ...blob(Buffer.alloc(0)),
      size: 64 * 2 ** 20,
      deflated: zeros,
    }));
    const pack = makePack(entries);
    const held: number[] = [];
    async function* measured(): AsyncGenerator<Buffer> {
      for await (const piece of pieces(pack, 2 ** 19)) {
        held.push(heldBytes());
        yield piece;
      }
    }
    const scanning = async (): Promise<void> => {
      const passed = scanPackfile(measured(), { ...limits, allowanceBytes: 2 ** 27 });
      for await (const piece of passed) expect(piece.length).toBeGreaterThan(0);
    };
    await expect(scanning()).rejects.toThrow(more);
    expect(held.length).toBeGreaterThan(5);
    // Buffers that were freed may count for a while, so that only the lowest of several readings is certain.
    const middle = held.length >> 1;
    const growth = Math.min(...held.slice(middle)) - Math.min(...held.slice(0, middle));
    expect(growth).toBeLessThan(32 * 2 ** 20);
  });

  test("whose header announces four billion objects is refused at once", async () => {
    expect(await refusal(makePack([], 0xffffffff))).toMatch(/^pack names more than/);
  });
});

describe("hostile bytes", () => {
  test("any mutated pack is accepted whole or refused", async () => {
    const pack = makePack(mixed.filter(({ content }) => content.length < 70_000));
    const change = fc.tuple(fc.nat(pack.length - 1), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 64, max: 90_000 }),
        async (changes, size) => {
          const mutated = Buffer.from(pack);
          for (const [at, value] of changes) mutated.writeUInt8(value, at);
          const outcome = await scan(mutated, size).catch((error: unknown) => error);
          if (Buffer.isBuffer(outcome)) expect(outcome.equals(mutated)).toBe(true);
          else expect(outcome).toBeInstanceOf(PackRefused);
        },
      ),
      { seed: 20261120, numRuns: 300 },
    );
  });

  test("random bytes after a valid header are refused", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        const pack = Buffer.concat([makePack([], 3).subarray(0, 12), bytes]);
        expect(await scan(pack, 50).catch((error: unknown) => error)).toBeInstanceOf(PackRefused);
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});
