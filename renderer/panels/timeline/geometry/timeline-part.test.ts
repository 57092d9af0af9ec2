import { describe, expect, test } from "vitest";
import { exampleStore, steadyFrames } from "../../../support/example-data.ts";
import { isWithin, mostPlaces, placeOf, startAround, toPart, toWhole } from "./timeline-part.ts";

const { all } = exampleStore(steadyFrames(800)).getState().history;

describe("the part of a long event", () => {
  test.each(["published", "observed"] as const)("is its newest end at first, in the order %s", (order) => {
    const whole = toWhole(all, order);
    const { first, last } = toPart(whole, undefined);
    expect(last - first + 1).toBe(mostPlaces);
    expect(last).toBe(whole.last);
    expect(last).toBe(placeOf(all, order, all.at(-1)!));
  });

  test("stays within the event, wherever it is moved", () => {
    const whole = toWhole(all, "published");
    expect(toPart(whole, -Infinity)).toEqual({ first: 0, last: mostPlaces - 1 });
    expect(toPart(whole, Infinity)).toEqual({ first: 800 - mostPlaces, last: 799 });
    const around = toPart(whole, startAround(300));
    expect(isWithin(around, 300)).toBe(true);
    expect(300 - around.first).toBe(mostPlaces / 2);
  });

  test("is the whole of a short event, and nothing of an empty one", () => {
    const short = all.slice(0, 5);
    expect(toPart(toWhole(short, "published"), undefined)).toEqual({ first: 0, last: 4 });
    expect(toPart(toWhole([], "observed"), undefined)).toEqual({ first: 0, last: -1 });
  });
});
