import { describe, expect, test } from "vitest";
import { toStatusLine } from "./connection-status.tsx";

const fresh = { kind: "fresh", ageMs: 108_000 } as const;
const stale = { kind: "stale", ageMs: 853_000 } as const;

describe("the status line", () => {
  test("says that a live feed is well, and how old its newest picture is", () => {
    expect(toStatusLine("connected", fresh, undefined, "live")).toEqual({
      health: "good",
      headline: "Live feed",
      ticking: "newest 1 min 48 s old",
    });
  });

  test("tells a stale source from a lost link, and a lost link from a failed reading", () => {
    expect(toStatusLine("connected", stale, undefined, "live")).toMatchObject({
      health: "late",
      headline: "Stale feed",
    });
    expect(toStatusLine("reconnecting", stale, undefined, "live")).toMatchObject({
      health: "late",
      headline: "Reconnecting",
    });
    expect(toStatusLine("offline", stale, "Not to be read", "live")).toMatchObject({
      health: "bad",
      headline: "Offline",
    });
    expect(toStatusLine("connected", fresh, "Not to be read", "live")).toMatchObject({
      health: "bad",
      headline: "Not to be read",
    });
  });

  test("has no age for a past event, and says what it is", () => {
    expect(toStatusLine("connected", { kind: "historical" }, undefined, "synthetic")).toEqual({
      health: "neutral",
      headline: "Connected",
      ticking: "synthetic",
    });
  });
});
