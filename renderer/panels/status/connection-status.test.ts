import { describe, expect, test } from "vitest";
import { toStatusLine, type StatusFacts } from "./connection-status.tsx";

const fresh = { kind: "fresh", ageMs: 108_000 } as const;
const stale = { kind: "stale", ageMs: 853_000 } as const;

function lineOf(facts: Partial<StatusFacts>) {
  return toStatusLine({
    link: "connected",
    freshness: fresh,
    problem: undefined,
    nature: "live",
    feed: "no-feed",
    ...facts,
  });
}

describe("the status line", () => {
  test("says that a live feed is well, and how old its newest picture is", () => {
    const expected = { health: "good", headline: "Live feed", ticking: "newest 1 min 48 s old" };
    expect(lineOf({})).toEqual(expected);
    expect(lineOf({ feed: "current" })).toEqual(expected);
  });

  test("tells a stale source from a lost link, and a lost link from a failed reading", () => {
    expect(lineOf({ freshness: stale })).toMatchObject({ health: "late", headline: "Stale feed" });
    expect(lineOf({ link: "reconnecting" })).toMatchObject({ health: "late", headline: "Reconnecting" });
    expect(lineOf({ link: "offline", problem: "Not to be read" })).toMatchObject({
      health: "bad",
      headline: "Offline",
    });
    expect(lineOf({ problem: "Not to be read" })).toMatchObject({
      health: "bad",
      headline: "Not to be read",
    });
  });

  test("tells our link to the source, a failure and an idle source apart, while the host is reached", () => {
    expect(lineOf({ freshness: stale, feed: "source-link-down" })).toMatchObject({
      health: "bad",
      headline: "Source not reached",
    });
    expect(lineOf({ feed: "processing-failed" })).toMatchObject({ headline: "Processing failed" });
    expect(lineOf({ freshness: stale, feed: "source-idle" })).toMatchObject({
      health: "late",
      headline: "Nothing newer at source",
    });
    expect(lineOf({ link: "offline", feed: "processing-failed" })).toMatchObject({ headline: "Offline" });
  });

  test("has no age for a past event, and says what it is", () => {
    expect(lineOf({ freshness: { kind: "historical" }, nature: "synthetic", feed: "not-live" })).toEqual({
      health: "neutral",
      headline: "Connected",
      ticking: "synthetic",
    });
  });
});
