import { expect, test } from "vitest";
import { RegisterInput } from "../../../shared/contract/actions.ts";
import { listKnownEvents } from "./known-events.ts";

/** Start of MRMS version 12, and of the data in the public bucket. */
const bucketBegins = "2020-10-14T00:00:00Z";

test("known events match their schema, have unique names, and are sorted by time", () => {
  const events = listKnownEvents();
  expect(events.length).toBeGreaterThanOrEqual(8);
  expect(new Set(events.map(({ name }) => name)).size).toBe(events.length);
  const starts = events.map(({ startedAt }) => startedAt);
  expect(starts).toEqual(starts.toSorted());
});

test.each(listKnownEvents().map((event) => [event.name, event] as const))(
  "%s is a window that can be registered and that the bucket covers",
  (name, { label, startedAt, endedAt, bounds: [west, south, east, north], sources }) => {
    expect(RegisterInput.safeParse({ id: name, label, startedAt, endedAt }).success).toBe(true);
    expect(Date.parse(startedAt)).toBeGreaterThan(Date.parse(bucketBegins));
    expect(Date.parse(endedAt) - Date.parse(startedAt)).toBeLessThanOrEqual(8 * 3_600_000);
    // Inside the grid of CONUS.
    expect([west > -130, south > 20, east < -60, north < 55, west < east, south < north]).toEqual(
      Array.from({ length: 6 }, () => true),
    );
    for (const { fact } of sources) expect(fact).toMatch(/\.$/);
    expect(listKnownEvents().filter((event) => event.name === name)).toHaveLength(1);
  },
);
