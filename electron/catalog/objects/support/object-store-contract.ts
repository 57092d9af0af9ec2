// Tests that every object store passes, whatever is behind it.
import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { mapLimited } from "../../../platform/locks/limit.ts";
import type { ObjectFacts, ObjectStore } from "../object-store.ts";

/** Registers the tests. `open` returns the store that they share; they keep to keys of their own. */
export function testObjectStore(open: () => ObjectStore): void {
  const newPrefix = (): string => `frames/${randomUUID().slice(0, 2)}/${randomUUID()}`;

  test("objects are read as they were stored", async () => {
    const store = open();
    const prefix = newPrefix();
    await store.prepare();
    await store.check();
    for (const byteLength of [1, 1000, 3_000_000]) {
      const bytes = randomBytes(byteLength);
      await store.put(`${prefix}.${byteLength}`, bytes);
      expect(Buffer.compare((await store.get(`${prefix}.${byteLength}`))!, bytes)).toBe(0);
    }
    expect(await store.get(`${prefix}.none`)).toBeUndefined();
  });

  test("a read stops one byte beyond its limit", async () => {
    const store = open();
    const key = `${newPrefix()}.long`;
    const bytes = randomBytes(3_000_000);
    await store.put(key, bytes);
    for (const byteLimit of [100, 2_999_999]) {
      const read = await store.get(key, { byteLimit });
      expect(Buffer.compare(read!, bytes.subarray(0, byteLimit + 1))).toBe(0);
    }
    expect((await store.get(key, { byteLimit: 3_000_000 }))!.byteLength).toBe(3_000_000);
  });

  test("concurrent uploads all arrive, and a listing tells their sizes and times", async () => {
    const store = open();
    const prefix = newPrefix();
    const sizes = Array.from({ length: 40 }, (_, index) => 100 + index);
    const before = Date.now();
    await mapLimited(sizes, 16, (size) => store.put(`${prefix}.${size}`, randomBytes(size)));
    await store.put(newPrefix(), randomBytes(1));
    const listed = await collect(store.list(prefix));
    const expected = sizes.map((size) => [`${prefix}.${size}`, size]);
    expect(listed.map(({ key, byteLength }) => [key, byteLength])).toEqual(expected);
    for (const { modifiedAt } of listed) {
      // Some stores count in whole seconds.
      expect(Math.abs(Date.parse(modifiedAt) - before)).toBeLessThan(30_000);
    }
    expect(await collect(store.list(`${prefix}.none`))).toEqual([]);
  });

  test("removed objects are gone, and missing ones are ignored", async () => {
    const store = open();
    const prefix = newPrefix();
    await store.put(`${prefix}.a`, randomBytes(10));
    await store.put(`${prefix}.b`, randomBytes(10));
    await store.remove([`${prefix}.a`, `${prefix}.none`]);
    await store.remove([]);
    expect(await store.get(`${prefix}.a`)).toBeUndefined();
    expect((await collect(store.list(prefix))).map(({ key }) => key)).toEqual([`${prefix}.b`]);
  });

  test("an aborted request throws the reason", async () => {
    const store = open();
    const reason = new Error("stopped");
    await expect(store.get(newPrefix(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(store.put(newPrefix(), randomBytes(1), AbortSignal.abort(reason))).rejects.toBe(reason);
  });
}

/** Registers a test of listings and removals of more objects than one request may name. */
export function testManyObjects(open: () => ObjectStore): void {
  test("more than 1,000 objects are listed and removed", { timeout: 240_000 }, async () => {
    const store = open();
    const prefix = `frames/many-${randomUUID()}/`;
    const keys = Array.from({ length: 1100 }, (_, index) => `${prefix}${String(index).padStart(4, "0")}`);
    await mapLimited(keys, 16, (key) => store.put(key, Buffer.from(key)));
    expect((await collect(store.list(prefix))).map(({ key }) => key)).toEqual(keys);
    await store.remove(keys);
    expect(await collect(store.list(prefix))).toEqual([]);
  });
}

async function collect(listing: AsyncIterable<ObjectFacts>): Promise<ObjectFacts[]> {
  const all: ObjectFacts[] = [];
  for await (const facts of listing) all.push(facts);
  return all.toSorted((left, right) => (left.key < right.key ? -1 : 1));
}
