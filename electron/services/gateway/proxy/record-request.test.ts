import { expect, test } from "vitest";
import { createRecordIds } from "./record-request.ts";

test("ids are distinct and rise, within a millisecond and when the clock goes back", () => {
  let nowMs = 1_800_000_000_000;
  const nextId = createRecordIds(() => nowMs);
  const ids = Array.from({ length: 10_000 }, () => nextId());
  nowMs -= 5_000;
  ids.push(nextId());
  nowMs += 60_000;
  ids.push(nextId());
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(createRecordIds(() => nowMs)()).not.toBe(createRecordIds(() => nowMs)());
});
