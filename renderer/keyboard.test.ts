import { describe, expect, test } from "vitest";
import { findCommand, type FocusKind, type KeyPress } from "./keyboard.ts";

function press(key: string, modifiers: Partial<KeyPress> = {}): KeyPress {
  return { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...modifiers };
}

describe("keys", () => {
  test.each([
    [" ", "play-or-pause"],
    ["ArrowLeft", "previous"],
    ["PageUp", "ten-forward"],
    ["End", "last"],
    ["/", "search"],
    ["?", "keys"],
    ["L", "layers"],
    ["Escape", "close"],
  ])("%j runs %s", (key, command) => {
    expect(findCommand(press(key), "none", true)).toBe(command);
  });

  test("leave a text field its letters and arrows, but Escape closes", () => {
    for (const key of ["n", "/", " ", "ArrowLeft", "Home"]) {
      expect(findCommand(press(key), "text", true)).toBeUndefined();
    }
    expect(findCommand(press("Escape"), "text", true)).toBe("close");
  });

  test.each<[FocusKind, string, string | undefined]>([
    ["arrows", "ArrowRight", undefined],
    ["arrows", "End", undefined],
    ["arrows", " ", "play-or-pause"],
    ["list", "ArrowRight", "next"],
    ["list", "Home", undefined],
    ["press", " ", undefined],
    ["press", "ArrowRight", "next"],
  ])("leave a control that needs %s its %j", (focus, key, command) => {
    expect(findCommand(press(key), focus, true)).toBe(command);
  });

  test("leave the browser its own combinations", () => {
    expect(findCommand(press("0", { ctrlKey: true }), "none", true)).toBeUndefined();
    expect(findCommand(press("ArrowLeft", { altKey: true }), "none", true)).toBeUndefined();
  });

  test("that print a character can be switched off, the others stay", () => {
    expect(findCommand(press("n"), "none", false)).toBeUndefined();
    expect(findCommand(press("ArrowLeft"), "none", false)).toBe("previous");
  });
});
