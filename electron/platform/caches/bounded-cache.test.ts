// The bounded cache: what it evicts, and that its weight is always the sum of its entries.
import fc from "fast-check";
import { expect, test } from "vitest";
import { createBoundedCache } from "./bounded-cache.ts";

test("the least recently used entry is evicted first", () => {
  const cache = createBoundedCache<string>(3);
  cache.set("a", "A", 1);
  cache.set("b", "B", 1);
  cache.set("c", "C", 1);
  expect(cache.get("a")).toBe("A");
  cache.set("d", "D", 1);
  expect(cache.get("b")).toBeUndefined();
  expect(cache.get("a")).toBe("A");
});

test("an entry heavier than the cache is not stored, and its old value is removed", () => {
  const cache = createBoundedCache<string>(3);
  cache.set("a", "old", 1);
  cache.set("a", "new", 4);
  expect(cache.get("a")).toBeUndefined();
  expect(cache.weight).toBe(0);
});

test("the weight is the sum of the entries and never above the limit", () => {
  const step = fc.record({ key: fc.constantFrom("a", "b", "c", "d", "e"), weight: fc.nat({ max: 12 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const cache = createBoundedCache<number>(10);
      for (const { key, weight } of steps) cache.set(key, weight, weight);
      const held = ["a", "b", "c", "d", "e"].map((key) => cache.get(key) ?? 0);
      const sum = held.reduce((total, weight) => total + weight, 0);
      expect(cache.weight).toBe(sum);
      expect(sum).toBeLessThanOrEqual(10);
    }),
    { seed: 1, numRuns: 300 },
  );
});
