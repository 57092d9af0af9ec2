import { describe, expect, test } from "vitest";
import {
  activeKeysOf,
  commands,
  findCommand,
  findOwner,
  isReserved,
  rowOf,
  toKeyLabel,
  toKeyName,
  type FocusKind,
  type KeyPress,
  type KeySettings,
} from "./keyboard.ts";

const first: KeySettings = { ownKeys: {}, characterKeys: true };

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
    expect(findCommand(press(key), "none", first)).toBe(command);
  });

  test("leave a text field its letters and arrows, but Escape closes", () => {
    for (const key of ["n", "/", " ", "ArrowLeft", "Home"]) {
      expect(findCommand(press(key), "text", first)).toBeUndefined();
    }
    expect(findCommand(press("Escape"), "text", first)).toBe("close");
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
    expect(findCommand(press(key), focus, first)).toBe(command);
  });

  test("leave the browser its own combinations", () => {
    expect(findCommand(press("0", { ctrlKey: true }), "none", first)).toBeUndefined();
    expect(findCommand(press("ArrowLeft", { altKey: true }), "none", first)).toBeUndefined();
  });

  test("that print a character can be switched off, the others stay", () => {
    expect(findCommand(press("n"), "none", { ...first, characterKeys: false })).toBeUndefined();
    expect(findCommand(press("ArrowLeft"), "none", { ...first, characterKeys: false })).toBe("previous");
  });
});

describe("the table", () => {
  test("gives no key to two commands, and none that is reserved but Escape", () => {
    for (const command of commands)
      for (const key of rowOf(command).keys) {
        expect([command, findOwner(key, command, {})]).toEqual([command, undefined]);
        expect(isReserved(key)).toBe(command === "close");
      }
  });

  test("copies the picture only while the map has the focus", () => {
    const copy = press("c", { ctrlKey: true });
    expect(findCommand(copy, "map", first)).toBe("copy-picture");
    expect(findCommand(copy, "none", first)).toBeUndefined();
  });
});

describe("keys of the person's own", () => {
  const own: KeySettings = { ownKeys: { newest: ["x"], "next-correction": [] }, characterKeys: true };

  test("replace the first ones, and an empty list is no key", () => {
    expect(findCommand(press("x"), "none", own)).toBe("newest");
    expect(findCommand(press("n"), "none", own)).toBeUndefined();
    expect(findCommand(press("]"), "none", own)).toBeUndefined();
    expect(findCommand(press("x"), "text", own)).toBeUndefined();
    expect(findCommand(press("x"), "none", { ...own, characterKeys: false })).toBeUndefined();
    expect(activeKeysOf("newest", { ...own, characterKeys: false })).toEqual([]);
  });

  test("find who has a key already", () => {
    expect(findOwner("x", "export", own.ownKeys)).toBe("newest");
    expect(findOwner("n", "export", own.ownKeys)).toBeUndefined();
    expect(findOwner("e", "export", own.ownKeys)).toBeUndefined();
  });

  test("never take Escape from closing", () => {
    expect(findCommand(press("Escape"), "text", { ...first, ownKeys: { close: ["y"] } })).toBe("close");
  });

  test("keep what a focused control needs, whichever command has the key", () => {
    const arrows: KeySettings = { ...first, ownKeys: { export: ["ArrowUp"] } };
    expect(findCommand(press("ArrowUp"), "arrows", arrows)).toBeUndefined();
    expect(findCommand(press("ArrowUp"), "map", arrows)).toBeUndefined();
    expect(findCommand(press("ArrowUp"), "none", arrows)).toBe("export");
  });

  test.each([
    [press(" "), "Space", "Space"],
    [press("N", { shiftKey: true }), "n", "N"],
    [press("ArrowLeft"), "ArrowLeft", "←"],
    [press("k", { ctrlKey: true }), "Ctrl+k", "Ctrl K"],
    [press("+", { ctrlKey: true }), "Ctrl++", "Ctrl +"],
    [press("[", { ctrlKey: true, altKey: true }), "[", "["],
  ])("have a name and a label", (pressed, name, label) => {
    expect(toKeyName(pressed)).toBe(name);
    expect(toKeyLabel(name)).toBe(label);
  });
});
