import { expect, test } from "vitest";
import { createSystemEffects } from "../../platform/effects.ts";
import { createBell } from "./bell.ts";

test("a bell wakes its waiter at once, remembers one ring, and rejects on abort", async () => {
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
