import { expect, test } from "vitest";
import { planTurn } from "./work-order.ts";

test("the newest window goes first, then the missed ones in order, a few at a time", () => {
  expect(planTurn([5, 9, 3, 8, 4], { newestPublished: undefined, backfillLimit: 2 })).toEqual({
    newest: 9,
    backfill: [3, 4],
    left: 2,
  });
  expect(planTurn([7], { newestPublished: 6, backfillLimit: 2 })).toEqual({
    newest: 7,
    backfill: [],
    left: 0,
  });
  expect(planTurn([], { newestPublished: 6, backfillLimit: 2 })).toEqual({
    newest: undefined,
    backfill: [],
    left: 0,
  });
});

test("what is older than something published waits its turn in order", () => {
  expect(planTurn([5, 3, 4], { newestPublished: 9, backfillLimit: 2 })).toEqual({
    newest: undefined,
    backfill: [3, 4],
    left: 1,
  });
});

test("where nothing was missed, all go in order", () => {
  const bounds = { newestPublished: Infinity, backfillLimit: 8 };
  expect(planTurn([8, 7], bounds)).toEqual({ newest: undefined, backfill: [7, 8], left: 0 });
});

test("a window that arrives amid a backlog goes before all that is left of it", () => {
  const order: number[] = [];
  let waiting = Array.from({ length: 10 }, (_, index) => index);
  for (let turn = 0; waiting.length > 0; turn += 1) {
    if (turn === 2) waiting.push(100);
    const newestPublished = order.length === 0 ? undefined : Math.max(...order);
    const { newest, backfill } = planTurn(waiting, { newestPublished, backfillLimit: 3 });
    order.push(...(newest === undefined ? [] : [newest]), ...backfill);
    waiting = waiting.filter((window) => !order.includes(window));
  }
  expect(order).toEqual([9, 0, 1, 2, 3, 4, 5, 100, 6, 7, 8]);
});
