import { expect, test } from "vitest";
import { changeOf, standingOf, talkTime, toNoteLines, waitingRevision } from "./presenter-text.ts";

test.each([
  [-5, "00:00"],
  [402_900, "06:42"],
  [3_600_000 + 61_000, "1:01:01"],
])("%i ms of talk are %s", (spanMs, words) => {
  expect(talkTime(spanMs)).toBe(words);
});

const revision = { sequence: 24, observedAt: "2026-05-20T21:44:40Z", publishedAt: "2026-05-20T21:47:22Z" };

test("a waiting revision is named with its times, and one of the window shown says so", () => {
  expect(waitingRevision({ ...revision, isOfShown: false })).toBe(
    "24 · observed 21:44:40, published 21:47:22",
  );
  expect(waitingRevision({ ...revision, publishedAt: null, isOfShown: true })).toBe(
    "24 · observed 21:44:40 · changes the window shown",
  );
});

const shown = { eventLabel: "", sequence: 22, observedAt: "2026-05-20T21:42:38Z", publishedAt: null };
const standing: Parameters<typeof standingOf>[0] = {
  frozen: { sequence: 23, publishedAt: "2026-05-20T21:46:10Z" },
  waiting: [],
  picture: { ...shown, change: "new", supersedes: null },
};

test("a frozen picture says since when, and how many wait", () => {
  const waiting = [{ ...revision, isOfShown: false }];
  expect(standingOf({ ...standing, waiting })).toEqual(["Frozen at 21:46:10 UTC", "1 newer revision waits"]);
  expect(standingOf({ ...standing, frozen: { sequence: 23, publishedAt: null } })).toEqual([
    "Frozen at revision 23",
  ]);
  const later = { sequence: 23, publishedAt: "2026-11-23T17:00:50Z" };
  expect(standingOf({ ...standing, frozen: later })).toEqual(["Frozen at 23 Nov 17:00:50 UTC"]);
  expect(standingOf({ ...standing, frozen: null })).toEqual(["Following the newest"]);
});

test("a correction names what it corrects", () => {
  expect(changeOf({ ...shown, change: "correction", supersedes: 15 })).toEqual({
    words: "correction of 15",
    isLate: true,
  });
  expect(changeOf({ ...shown, change: "new", supersedes: null })).toEqual({ words: "", isLate: false });
});

test("lines of notes with a dash are points", () => {
  expect(toNoteLines("Slowly.\n\n- first\n • second\n-5 °C")).toEqual([
    { isPoint: false, text: "Slowly." },
    { isPoint: true, text: "first" },
    { isPoint: true, text: "second" },
    { isPoint: false, text: "-5 °C" },
  ]);
});
