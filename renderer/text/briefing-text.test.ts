import { describe, expect, test } from "vitest";
import type { Briefing, CrawlerDirectory, GatewayReport } from "../../shared/contract/briefings.ts";
import { reasons } from "../../shared/contract/gateway-reasons.ts";
import {
  behindWords,
  briefingFacts,
  choiceWords,
  decisionWords,
  directoryWords,
  reportSentence,
  toReasonWords,
} from "./briefing-text.ts";

const nowMs = Date.parse("2026-11-21T00:00:00Z");
const directory: CrawlerDirectory = {
  updatedAt: "2026-11-20T00:00:00Z",
  crawlers: 24,
  isStale: false,
  problem: null,
};

test("a list of crawlers has a date, and is a warning if it is old or empty", () => {
  expect(directoryWords(directory, nowMs)).toEqual({
    text: "24 known crawlers, as of 20 Nov 2026 0000Z.",
    tone: "quiet",
  });
  const stale = directoryWords({ ...directory, isStale: true }, nowMs + 9 * 86_400_000);
  expect(stale.tone).toBe("warning");
  expect(stale.text).toContain("10 days old");
  expect(directoryWords({ ...directory, crawlers: 0 }, nowMs).tone).toBe("warning");
  expect(directoryWords({ ...directory, updatedAt: null, crawlers: 0 }, nowMs).text).toContain(
    "none is redirected",
  );
});

test("every reason has its own words, and an unknown one passes through", () => {
  const words = reasons.map(toReasonWords);
  expect(new Set(words).size).toBe(reasons.length);
  expect(words).not.toContain(undefined);
  expect(toReasonWords("of_tomorrow")).toBe("of_tomorrow");
});

describe("a report in a sentence", () => {
  const report: GatewayReport = { requests: 0, redirects: 0, rows: [], reasons: [] };

  test("says if there were no requests or no redirects", () => {
    expect(reportSentence(report, "the last 24 hours")).toBe("No page requests in the last 24 hours");
    expect(reportSentence({ ...report, requests: 1 }, "the last 7 days")).toBe(
      "1 page request in the last 7 days, none sent to a main page",
    );
  });

  test("counts", () => {
    expect(reportSentence({ ...report, requests: 1_204, redirects: 31 }, "the last 7 days")).toBe(
      "1204 page requests in the last 7 days, 31 sent to a main page",
    );
  });
});

test("a decision says what the visitor gets and why", () => {
  const explanation = {
    zoneId: "z",
    reason: "redirected",
    status: 301,
    target: "https://brief.example/e/1",
    steps: [],
  };
  expect(decisionWords(explanation)).toEqual({
    what: "Is sent to another page (301)",
    why: "Sent to the main page.",
  });
  expect(decisionWords({ ...explanation, reason: "loop", status: 200, target: null })).toEqual({
    what: "Gets the requested page (200)",
    why: "It was just sent here from the main page.",
  });
  expect(
    decisionWords({ ...explanation, reason: "origin_unreachable", status: 502, target: null }).what,
  ).toBe("Gets an error (502)");
});

test("a briefing counts its pages and the revisions that it lacks", () => {
  const briefing: Briefing = {
    eventId: "iowa",
    label: "Iowa",
    publishedAt: "2024-05-20T22:00:00Z",
    revisionPages: 12,
    folder: "",
    address: null,
    behind: 0,
  };
  expect(briefingFacts(briefing)).toBe("13 pages · 20 May 2024 2200Z");
  expect(behindWords(briefing)).toBeUndefined();
  expect(behindWords({ ...briefing, behind: 1 })).toBe("1 newer revision is not in it.");
  expect(behindWords({ ...briefing, behind: 3 })).toBe("3 newer revisions are not in it.");
});

test("the pages are described before publishing", () => {
  expect(choiceWords({ sequences: undefined, pages: 12 })).toBe(
    "1 event page and 12 pages for the newest revisions",
  );
  expect(choiceWords({ sequences: undefined, pages: 1 })).toBe(
    "1 event page and 1 page for the newest revision",
  );
  expect(choiceWords({ sequences: [31], pages: 1 })).toBe("1 event page and 1 page for revision 31");
  expect(choiceWords({ sequences: [3, 7, 9], pages: 3 })).toBe(
    "1 event page and 3 pages for revisions between 3 and 9",
  );
  expect(choiceWords({ problem: "No frames yet" })).toBe("No frames yet");
});
