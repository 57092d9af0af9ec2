// The application's window: created with the secure preferences at its last position, shown once it has content.
import type { BrowserWindow, BrowserWindowConstructorOptions, Screen } from "electron";
import type { Report } from "./application-options.ts";
import { identity } from "../../../shared/identity.ts";
import type { SecureWebPreferences } from "./web-preferences.ts";
import { fitToDisplays, loadWindowState, minimumSize, saveWindowState } from "./window-state.ts";
import type { Rectangle } from "./window-state.ts";

export interface WindowOptions {
  readonly BrowserWindow: new (options: BrowserWindowConstructorOptions) => BrowserWindow;
  readonly screen: Pick<Screen, "getAllDisplays" | "getPrimaryDisplay">;
  readonly preferences: SecureWebPreferences;
  readonly preloadPath: string;
  /** PNG for the title bar and task bar on platforms whose executable has no icon; undefined elsewhere. */
  readonly iconPath: string | undefined;
  readonly statePath: string;
  readonly report: Report;
}

export function createWindow(options: WindowOptions): BrowserWindow {
  const { BrowserWindow: Window, preferences, preloadPath, iconPath, statePath, report } = options;
  const { isMaximized, ...bounds } = fitToDisplays(loadWindowState(statePath), workAreasOf(options.screen));
  const window = new Window({
    ...bounds,
    minWidth: minimumSize.width,
    minHeight: minimumSize.height,
    title: identity.productName,
    backgroundColor: identity.backgroundColor,
    darkTheme: true,
    show: false,
    ...(iconPath === undefined ? {} : { icon: iconPath }),
    webPreferences: { ...preferences, preload: preloadPath },
  });
  window.once("ready-to-show", () => {
    if (isMaximized) window.maximize();
    window.show();
  });
  window.on("close", () => {
    try {
      saveWindowState(statePath, { ...window.getNormalBounds(), isMaximized: window.isMaximized() });
    } catch (error) {
      // A full disk must not keep the window from closing.
      report("The window's position could not be saved.", { error });
    }
  });
  return window;
}

function workAreasOf(screen: WindowOptions["screen"]): readonly [Rectangle, ...Rectangle[]] {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id);
  return [primary.workArea, ...others.map((display) => display.workArea)];
}

/** Brings the window to the front. */
export function focusWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  if (!window.isVisible()) window.show();
  window.focus();
}
