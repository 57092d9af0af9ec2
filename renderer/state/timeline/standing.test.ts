import { describe, expect, test } from "vitest";
import { exampleEventId, exampleHistory, exampleStore, steadyFrames } from "../../support/example-data.ts";
import { standingWords } from "../../text/state-text.ts";
import { selectWantedRevision } from "../selectors.ts";
import { selectNextCorrection, selectOtherVersion, toStanding } from "./standing.ts";
import type { ViewerStore } from "../store.ts";

/** Revision 5 corrects 2, revision 6 corrects it again, and revision 8 adds hail to 7. */
const frames = [
  ...steadyFrames(4),
  { sequence: 5, minute: 2, variant: "b" },
  { sequence: 6, minute: 2, variant: "c" },
  { sequence: 7, minute: 20, only: "mrms-reflectivity" },
  { sequence: 8, minute: 20 },
] as const;

function wordsAt(store: ViewerStore, sequence: number): string {
  store.getState().goTo(sequence);
  return standingWords(toStanding(store.getState(), selectWantedRevision(store.getState())!));
}

function otherAt(store: ViewerStore, sequence: number): number | undefined {
  store.getState().goTo(sequence);
  return selectOtherVersion(store.getState())?.sequence;
}

/** Does what the key R does; returns the sequence that is then wanted. */
function flip(store: ViewerStore): number | undefined {
  const other = selectOtherVersion(store.getState());
  if (other) store.getState().flipTo(other.sequence);
  return selectWantedRevision(store.getState())?.sequence;
}

describe("the standing of a picture", () => {
  test("says that it has been replaced, how often it was corrected, and which is the latest", () => {
    const store = exampleStore(frames);
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((sequence) => wordsAt(store, sequence))).toEqual([
      "Only version",
      "Corrected later",
      "Only version",
      "Only version",
      "Corrected later",
      "Corrected twice",
      "Completed later",
      "Latest",
    ]);
  });

  test("says both of a latest picture that corrects an earlier one", () => {
    const store = exampleStore([...steadyFrames(2), { sequence: 3, minute: 2, variant: "b" }]);
    expect(wordsAt(store, 3)).toBe("Latest, corrected once");
  });

  test("changes as soon as a correction arrives", () => {
    const store = exampleStore(steadyFrames(4));
    expect(wordsAt(store, 2)).toBe("Only version");
    store.getState().receiveHistory(exampleEventId, exampleHistory(frames));
    expect(wordsAt(store, 2)).toBe("Corrected later");
  });
});

describe("the other version", () => {
  test("is the newest of a replaced picture, and the one before of the newest", () => {
    const store = exampleStore(frames);
    expect([1, 2, 5, 6, 7, 8].map((sequence) => otherAt(store, sequence))).toEqual([
      undefined,
      6,
      6,
      5,
      8,
      7,
    ]);
  });

  test("is flipped to and back, also over a version between", () => {
    const store = exampleStore(frames);
    store.getState().goTo(2);
    expect([flip(store), flip(store), flip(store)]).toEqual([6, 2, 6]);
    store.getState().step(1);
    store.getState().step(-1);
    expect(flip(store)).toBe(5);
  });

  test("is not the way to other corrections, which are found before and after by publication", () => {
    const store = exampleStore(frames);
    const next = (sequence: number, direction: 1 | -1): number | undefined => {
      store.getState().goTo(sequence);
      return selectNextCorrection(store.getState(), direction)?.sequence;
    };
    expect([next(1, 1), next(5, 1), next(6, 1)]).toEqual([5, 6, undefined]);
    expect([next(8, -1), next(6, -1), next(5, -1)]).toEqual([6, 5, undefined]);
  });

  test("does not exist for a window with one version", () => {
    const store = exampleStore(frames);
    store.getState().goTo(1);
    expect(flip(store)).toBe(1);
  });
});
