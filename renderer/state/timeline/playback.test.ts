import { describe, expect, test } from "vitest";
import { loopDwellMs } from "../../platform/viewer-limits.ts";
import { decidePlayback, type PlaybackFacts } from "./playback.ts";
import { playOrderAfter } from "./loop.ts";

function facts(changes: Partial<PlaybackFacts> = {}): PlaybackFacts {
  return {
    order: [1, 2, 3, 4],
    current: 2,
    place: changes.current ?? 2,
    drawn: 2,
    shownMs: 250,
    speed: 4,
    stateOf: () => "ready",
    ...changes,
  };
}

describe("playback", () => {
  test("advances when the step is due, the picture is on screen and the next one is ready", () => {
    expect(decidePlayback(facts())).toEqual({ kind: "advance", to: 3 });
  });

  test("waits for its time", () => {
    expect(decidePlayback(facts({ shownMs: 249 }))).toEqual({ kind: "wait" });
  });

  test("never leaves a picture that is not on screen yet", () => {
    expect(decidePlayback(facts({ drawn: 1 }))).toEqual({ kind: "buffer" });
    expect(decidePlayback(facts({ drawn: undefined }))).toEqual({ kind: "buffer" });
  });

  test("never advances to a picture that is not ready", () => {
    const stateOf: PlaybackFacts["stateOf"] = (sequence) => (sequence === 3 ? "loading" : "ready");
    expect(decidePlayback(facts({ stateOf }))).toEqual({ kind: "buffer" });
  });

  test("passes over what failed to load, and does not hang on it", () => {
    const stateOf: PlaybackFacts["stateOf"] = (sequence) => (sequence === 3 ? "failed" : "ready");
    expect(decidePlayback(facts({ stateOf }))).toEqual({ kind: "advance", to: 4 });
    expect(decidePlayback(facts({ stateOf, current: 3, drawn: 2 }))).toEqual({ kind: "advance", to: 4 });
  });

  test("dwells on the last picture, then begins again", () => {
    expect(decidePlayback(facts({ current: 4, drawn: 4, shownMs: loopDwellMs - 1 }))).toEqual({
      kind: "wait",
    });
    expect(decidePlayback(facts({ current: 4, drawn: 4, shownMs: loopDwellMs }))).toEqual({
      kind: "advance",
      to: 1,
    });
  });

  test("stops if the loop has no other picture", () => {
    expect(decidePlayback(facts({ order: [2] }))).toEqual({ kind: "stop" });
    expect(decidePlayback(facts({ stateOf: (sequence) => (sequence === 2 ? "ready" : "failed") }))).toEqual({
      kind: "stop",
    });
  });

  test("enters the loop at its start from outside it", () => {
    expect(playOrderAfter([5, 6, 7], 2)).toEqual([5, 6, 7]);
    expect(playOrderAfter([5, 6, 7], 6)).toEqual([7, 5]);
  });
});
