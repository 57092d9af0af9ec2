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
  test("shows that a live feed is healthy, and the age of its newest picture", () => {
    const expected = { health: "good", headline: "Live feed", ticking: "newest 1 min 48 s old" };
    expect(lineOf({})).toEqual(expected);
    expect(lineOf({ feed: "current" })).toEqual(expected);
  });

  test("says how often a public service is asked, in place of live", () => {
    expect(lineOf({ feed: "polled" })).toEqual({
      health: "good",
      headline: "Updates every 30 seconds",
      ticking: "",
    });
    expect(lineOf({ feed: "polled", freshness: stale })).toMatchObject({ headline: "Stale feed" });
  });

  test("distinguishes a stale source, a lost connection and a failed read", () => {
    expect(lineOf({ freshness: stale })).toMatchObject({ health: "warning", headline: "Stale feed" });
    expect(lineOf({ link: "reconnecting" })).toMatchObject({ health: "warning", headline: "Reconnecting" });
    expect(lineOf({ link: "offline", problem: "Invalid response" })).toMatchObject({
      health: "bad",
      headline: "Offline",
    });
    expect(lineOf({ problem: "Invalid response" })).toMatchObject({
      health: "bad",
      headline: "Invalid response",
    });
  });

  test("distinguishes an unreachable source, a processing failure and an idle source", () => {
    expect(lineOf({ freshness: stale, feed: "source-link-down" })).toMatchObject({
      health: "bad",
      headline: "Can't reach source",
    });
    expect(lineOf({ feed: "processing-failed" })).toMatchObject({ headline: "Processing failed" });
    expect(lineOf({ freshness: stale, feed: "source-idle" })).toMatchObject({
      health: "warning",
      headline: "Nothing newer at source",
    });
    expect(lineOf({ link: "offline", feed: "processing-failed" })).toMatchObject({ headline: "Offline" });
  });

  test("shows the nature of a past event instead of an age", () => {
    expect(lineOf({ freshness: { kind: "historical" }, nature: "synthetic", feed: "not-live" })).toEqual({
      health: "neutral",
      headline: "Connected",
      ticking: "synthetic",
    });
  });
});
