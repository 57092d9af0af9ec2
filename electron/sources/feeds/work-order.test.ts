import { expect, test } from "vitest";
import { planTurn } from "./work-order.ts";

test("after an outage the newest window goes first, then the missed ones in order, a few at a time", () => {
  const bounds = { isRecovering: true, backfillLimit: 2 };
  expect(planTurn([5, 9, 3, 8, 4], { ...bounds, newestPublished: undefined })).toEqual({
    first: [9],
    backfill: [3, 4],
    left: 2,
  });
  expect(planTurn([7], { ...bounds, newestPublished: 6 })).toEqual({ first: [7], backfill: [], left: 0 });
  expect(planTurn([], { ...bounds, newestPublished: 6 })).toEqual({ first: [], backfill: [], left: 0 });
});

test.each([true, false])("windows older than a published one follow in order", (isRecovering) => {
  expect(planTurn([5, 3, 4], { newestPublished: 9, isRecovering, backfillLimit: 2 })).toEqual({
    first: [],
    backfill: [3, 4],
    left: 1,
  });
});

test("without an outage, new windows go in order, before late older ones", () => {
  const bounds = { newestPublished: 6, isRecovering: false, backfillLimit: 2 };
  expect(planTurn([8, 7], bounds)).toEqual({ first: [7, 8], backfill: [], left: 0 });
  expect(planTurn([1, 8, 3, 2, 7], bounds)).toEqual({ first: [7, 8], backfill: [1, 2], left: 1 });
});

test("a window that arrives during a backlog goes before the rest of it", () => {
  const order: number[] = [];
  let waiting = Array.from({ length: 10 }, (_, index) => index);
  for (let turn = 0; waiting.length > 0; turn += 1) {
    if (turn === 2) waiting.push(100);
    const newestPublished = order.length === 0 ? undefined : Math.max(...order);
    const { first, backfill } = planTurn(waiting, { newestPublished, isRecovering: true, backfillLimit: 3 });
    order.push(...first, ...backfill);
    waiting = waiting.filter((window) => !order.includes(window));
  }
  expect(order).toEqual([9, 0, 1, 2, 3, 4, 5, 100, 6, 7, 8]);
});
