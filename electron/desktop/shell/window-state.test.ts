import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  defaultSize,
  fitToDisplays,
  loadWindowState,
  saveWindowState,
  type Rectangle,
} from "./window-state.ts";

const primary: Rectangle = { x: 0, y: 24, width: 1920, height: 1056 };
const second: Rectangle = { x: 1920, y: 0, width: 1280, height: 1024 };

describe("fitting to the displays", () => {
  test("centers a first window of the default size on the primary display", () => {
    expect(fitToDisplays(undefined, [primary, second])).toEqual({
      x: 320,
      y: 152,
      ...defaultSize,
      isMaximized: false,
    });
  });

  test("keeps a position that a second display still shows", () => {
    const state = { x: 2000, y: 40, width: 1100, height: 700, isMaximized: true };
    expect(fitToDisplays(state, [primary, second])).toEqual(state);
  });

  test("brings back a window whose display is gone, with its size", () => {
    const state = { x: 2000, y: 40, width: 1100, height: 700, isMaximized: false };
    expect(fitToDisplays(state, [primary])).toEqual({ ...state, x: 410, y: 202 });
  });

  test("brings back a window whose title bar is out of reach", () => {
    const state = { x: 100, y: 1075, width: 1100, height: 700, isMaximized: false };
    expect(fitToDisplays(state, [primary]).y).toBe(202);
  });

  test("keeps a window that crosses an edge and can still be dragged", () => {
    const state = { x: -900, y: 24, width: 1100, height: 700, isMaximized: false };
    expect(fitToDisplays(state, [primary])).toEqual(state);
  });

  test("is never larger than a display, even one below the minimum size", () => {
    const tiny: Rectangle = { x: 0, y: 0, width: 800, height: 480 };
    expect(fitToDisplays(undefined, [tiny])).toEqual({
      x: 0,
      y: 0,
      width: 800,
      height: 480,
      isMaximized: false,
    });
  });

  test("always leaves a reachable title bar on some display", () => {
    const side = fc.integer({ min: -5000, max: 5000 });
    const size = fc.integer({ min: 1, max: 6000 });
    const state = fc.record({ x: side, y: side, width: size, height: size, isMaximized: fc.boolean() });
    fc.assert(
      fc.property(state, (remembered) => {
        const { x, y, width } = fitToDisplays(remembered, [primary, second]);
        const reachable = [primary, second].some(
          (area) =>
            y >= area.y &&
            y + 32 <= area.y + area.height &&
            Math.min(x + width, area.x + area.width) - Math.max(x, area.x) >= 120,
        );
        expect(reachable).toBe(true);
      }),
      { seed: 7, numRuns: 1000 },
    );
  });
});

describe("remembering", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "echotop-window-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test("reads what was saved, and leaves no other file", () => {
    const path = join(folder, "deep", "window-state.json");
    const state = { x: 1, y: 2, width: 1000, height: 700, isMaximized: true };
    saveWindowState(path, state);
    saveWindowState(path, { ...state, x: 5 });
    expect(loadWindowState(path)).toEqual({ ...state, x: 5 });
    expect(readdirSync(join(folder, "deep"))).toEqual(["window-state.json"]);
  });

  test.each(["", "{", "[]", '{"x":1}', '{"x":0,"y":0,"width":1e9,"height":700,"isMaximized":false}'])(
    "treats %j as no saved position",
    (text) => {
      const path = join(folder, "window-state.json");
      writeFileSync(path, text);
      expect(loadWindowState(path)).toBeUndefined();
    },
  );

  test("treats a missing file as no saved position", () => {
    expect(loadWindowState(join(folder, "none.json"))).toBeUndefined();
  });
});
