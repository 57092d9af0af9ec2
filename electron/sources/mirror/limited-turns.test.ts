import { expect, test, vi } from "vitest";
import { createSystemEffects } from "../../platform/effects.ts";
import { createBell } from "./bell.ts";
import { createTurns } from "./limited-turns.ts";

test("so many work at once and no more, in the order of asking, and a failure gives its place on", async () => {
  const turns = createTurns(2);
  const begun: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<undefined>());
  const works = gates.map(({ promise }, index) =>
    turns(async () => {
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

test("a bell wakes at once, keeps one ring for later, and lets an abort through", async () => {
  const { sleep } = createSystemEffects();
  const bell = createBell(sleep);
  const ending = new AbortController();
  const waiting = bell.wait(undefined, ending.signal);
  bell.ring();
  await waiting;
  bell.ring();
  bell.ring();
  await bell.wait(undefined, ending.signal);
  await bell.wait(1, ending.signal);
  const last = bell.wait(600_000, ending.signal);
  ending.abort(new Error("enough"));
  await expect(last).rejects.toThrow("enough");
  await expect(bell.wait(1, ending.signal)).rejects.toThrow("enough");
});
