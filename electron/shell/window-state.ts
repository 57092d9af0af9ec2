// Where the window was, and where it may be now: a remembered place is only used when a display still shows it.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod";

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

/** So much of the window's top edge must be on a display for a person to take hold of it. */
const reachableWidthPx = 120;
const titleBarHeightPx = 32;

/** The remembered state, or undefined when there is none or it cannot be read: then the window opens as at first. */
export function loadWindowState(path: string): WindowState | undefined {
  try {
    return WindowState.safeParse(JSON.parse(readFileSync(path, "utf8"))).data;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Written beside and renamed, so that a crash leaves the old state or the new one. */
export function saveWindowState(path: string, state: WindowState): void {
  mkdirSync(dirname(path), { recursive: true });
  const staged = `${path}.${process.pid}.new`;
  writeFileSync(staged, `${JSON.stringify(state)}\n`);
  renameSync(staged, path);
}

/** Bounds to open with. `workAreas` are the displays without their task bars, the primary one first, at least one. */
export function fitToDisplays(
  state: WindowState | undefined,
  workAreas: readonly [Rectangle, ...Rectangle[]],
): WindowState {
  const home = state === undefined ? undefined : workAreas.find((area) => isReachable(state, area));
  const area = home ?? workAreas[0];
  const width = clampSize(state?.width ?? defaultSize.width, minimumSize.width, area.width);
  const height = clampSize(state?.height ?? defaultSize.height, minimumSize.height, area.height);
  const isMaximized = state?.isMaximized ?? false;
  if (state !== undefined && home !== undefined)
    return { x: state.x, y: state.y, width, height, isMaximized };
  return {
    x: area.x + Math.max(0, Math.round((area.width - width) / 2)),
    y: area.y + Math.max(0, Math.round((area.height - height) / 2)),
    width,
    height,
    isMaximized,
  };
}

function isReachable(state: Rectangle, area: Rectangle): boolean {
  const visibleWidth = Math.min(state.x + state.width, area.x + area.width) - Math.max(state.x, area.x);
  const topIsVisible = state.y >= area.y && state.y + titleBarHeightPx <= area.y + area.height;
  return topIsVisible && visibleWidth >= Math.min(reachableWidthPx, state.width);
}

/** No larger than the display; no smaller than the viewer can be used in, unless the display is smaller still. */
function clampSize(size: number, minimum: number, available: number): number {
  return Math.min(Math.max(size, minimum), available);
}
