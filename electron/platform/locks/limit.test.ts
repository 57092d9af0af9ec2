import { expect, test, vi } from "vitest";
import { createLimit, mapLimited } from "./limit.ts";

test("a limit runs at most N jobs at once, first come first served, and a failed job frees its slot", async () => {
  const limit = createLimit(2);
  const begun: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<undefined>());
  const works = gates.map(({ promise }, index) =>
    limit(async () => {
      begun.push(index);
      await promise;
    }),
  );
  await vi.waitFor(() => {
    expect(begun).toEqual([0, 1]);
  });
  gates[1]!.reject(new Error("failed"));
  await expect(works[1]).rejects.toThrow("failed");
  await vi.waitFor(() => {
    expect(begun).toEqual([0, 1, 2]);
  });
  for (const { resolve } of gates) resolve(undefined);
  await Promise.allSettled(works);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

test("mapLimited returns results in the order of the items, and starts no more after a failure", async () => {
  expect(await mapLimited([3, 1, 2], 2, (item) => Promise.resolve(item * 10))).toEqual([30, 10, 20]);
  const begun: number[] = [];
  const failing = mapLimited([1, 2, 3, 4], 2, async (item) => {
    begun.push(item);
    await Promise.resolve();
    if (item === 1) throw new Error("failed");
  });
  await expect(failing).rejects.toThrow("failed");
  expect(begun).toEqual([1, 2]);
});
