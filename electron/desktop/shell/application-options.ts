// Options of the desktop application: Electron's modules, the host and paths. `main.ts` provides them.
import type * as Electron from "electron";
import type { Host } from "../../start.ts";
import type { IngestRequest } from "./add-files.ts";

export type ElectronParts = Pick<
  typeof Electron,
  "app" | "BrowserWindow" | "dialog" | "ipcMain" | "Menu" | "nativeTheme" | "screen" | "session" | "shell"
>;

export type RunningHost = Pick<Host, "addresses" | "dataDirectory" | "dispatch" | "close">;

/** Writes a line to the log; facts may contain local paths. */
export type Report = (message: string, facts: Readonly<Record<string, unknown>>) => void;

export interface ApplicationOptions {
  readonly electron: ElectronParts;
  readonly dataDirectory: string;
  readonly preloadPath: string;
  /** Returns the path of a file in the checkout or in the packaged application's resources. */
  readonly resourcePath: (name: "icon" | "notices") => string;
  readonly startHost: () => Promise<RunningHost>;
  readonly ingest: (dataDirectory: string, request: IngestRequest, signal: AbortSignal) => Promise<void>;
  readonly report: Report;
  /** Writes the addresses for the program that started this one. */
  readonly announce: (host: RunningHost) => void;
}
