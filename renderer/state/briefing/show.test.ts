import { describe, expect, test } from "vitest";
import { stepOf } from "../../../shared/views/support/example-steps.ts";
import {
  arrive,
  command,
  findShowCommand,
  isOtherPicture,
  startShow,
  want,
  type Show,
  type ShowCommand,
} from "./show.ts";

const steps = ["a", "b", "c"].map((id) => stepOf(id));
const begun = startShow(steps, 0, { storm: 23 });

/** Returns the state after these commands, and the effects on the way. */
function play(show: Show, ...given: readonly ShowCommand[]): { show: Show; effects: unknown[] } {
  const effects: unknown[] = [];
  const end = given.reduce((before, next) => {
    const { show: after, effect } = command(before, next);
    if (effect !== undefined) effects.push(effect);
    return after;
  }, show);
  return { show: end, effects };
}

test.each([
  ["ArrowRight", "next"],
  ["PageDown", "next"],
  [" ", "next"],
  ["ArrowLeft", "back"],
  ["PageUp", "back"],
  ["b", "black"],
  ["B", "black"],
  [".", "black"],
  ["F", "freeze"],
  ["p", "presenter"],
  ["Escape", "leave"],
  ["c", undefined],
  ["Home", undefined],
])("the key %j means %s", (key, meaning) => {
  expect(findShowCommand(key)).toBe(meaning);
});

describe("steps", () => {
  test("are wanted one after the other, and the first and last are the ends", () => {
    expect(play(begun, "next").show.wanted).toBe(1);
    expect(play(begun, "next", "next", "next", "next").show.wanted).toBe(2);
    expect(play(begun, "next", "back", "back").show.wanted).toBe(0);
    expect(want(begun, 7).wanted).toBe(2);
  });

  test("are on the projector only once they arrive", () => {
    const { show } = play(begun, "next");
    expect(show.current).toBe(0);
    expect(arrive(show, 1).current).toBe(1);
  });
});

test.each([
  ["frame-missing", true],
  ["revision-replaced", false],
] as const)("a step with %s is another picture: %j", (kind, isOther) => {
  const differences = [{ kind, pane: 0, sentence: "Revision 41 has replaced it." }];
  expect(isOtherPicture({ ...begun, differences })).toBe(isOther);
});

test("the first press after black only brings the picture back", () => {
  const { show } = play(begun, "black");
  expect(show.black).toBe(true);
  expect(play(show, "next").show).toMatchObject({ black: false, wanted: 0 });
  expect(play(show, "black").show.black).toBe(false);
});

describe("unfreezing", () => {
  test("is asked once, and the same key confirms it", () => {
    expect(play(begun, "freeze")).toMatchObject({ show: { asking: "unfreeze" }, effects: [] });
    expect(play(begun, "freeze", "freeze")).toMatchObject({
      show: { asking: undefined },
      effects: ["unfreeze"],
    });
  });

  test.each<ShowCommand>(["next", "back", "black", "leave"])(
    "is taken back by %s, which does nothing else",
    (key) => {
      const { show, effects } = play(begun, "freeze", key);
      expect(show).toEqual(begun);
      expect(effects).toEqual([]);
    },
  );

  test("needs no question the other way round", () => {
    expect(play({ ...begun, frozen: undefined }, "freeze").effects).toEqual(["freeze"]);
  });
});

test("leaving is asked once, and taken back by any other key", () => {
  expect(play(begun, "leave", "leave").effects).toEqual(["leave"]);
  expect(play(begun, "leave", "freeze")).toEqual({ show: begun, effects: [] });
});
