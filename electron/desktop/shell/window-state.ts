// The last position of the window, which is used only if a display still shows it.
import { readFileSync } from "node:fs";
import * as z from "zod";
import { replaceFileSync } from "../../platform/disk/replace-file.ts";

/** In device-independent pixels of the desktop, y downwards. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const WindowState = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(1).max(32_767),
  height: z.int().min(1).max(32_767),
  isMaximized: z.boolean(),
});
export type WindowState = z.infer<typeof WindowState>;

export const minimumSize = { width: 960, height: 600 } as const;
export const defaultSize = { width: 1280, height: 800 } as const;

/** Part of the window's title bar that must be on a display for a person to drag it. */
const reachableWidthPx = 120;
const titleBarHeightPx = 32;

/** Returns undefined if the file is missing or invalid; the window then opens with the default size. */
export function loadWindowState(path: string): WindowState | undefined {
  try {
    return WindowState.safeParse(JSON.parse(readFileSync(path, "utf8"))).data;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export function saveWindowState(path: string, state: WindowState): void {
  replaceFileSync(path, `${JSON.stringify(state)}\n`);
}

/** Returns the bounds to open with. `workAreas` are the displays without their task bars, the primary one first. */
export function fitToDisplays(
  state: WindowState | undefined,
  workAreas: readonly [Rectangle, ...Rectangle[]],
): WindowState {
  const isMaximized = state?.isMaximized ?? false;
  if (state !== undefined) {
    for (const area of workAreas) {
      // Size first: a window that had to shrink may no longer reach the display.
      const kept = { ...state, ...fitSize(state, area) };
      if (isReachable(kept, area)) return kept;
    }
  }
  const [primary] = workAreas;
  const { width, height } = fitSize(state ?? defaultSize, primary);
  return {
    x: primary.x + Math.max(0, Math.round((primary.width - width) / 2)),
    y: primary.y + Math.max(0, Math.round((primary.height - height) / 2)),
    width,
    height,
    isMaximized,
  };
}

function isReachable(window: Rectangle, area: Rectangle): boolean {
  const visibleWidth = Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x);
  const topIsVisible = window.y >= area.y && window.y + titleBarHeightPx <= area.y + area.height;
  return topIsVisible && visibleWidth >= reachableWidthPx;
}

type Size = Pick<Rectangle, "width" | "height">;

function fitSize({ width, height }: Size, area: Rectangle): Size {
  return {
    width: clampSize(width, minimumSize.width, area.width),
    height: clampSize(height, minimumSize.height, area.height),
  };
}

/** Limits a size to the display, and to the viewer's minimum if the display is larger than that. */
function clampSize(size: number, minimum: number, available: number): number {
  return Math.min(Math.max(size, minimum), available);
}
