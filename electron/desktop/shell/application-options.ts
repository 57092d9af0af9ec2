// Options of the desktop application: Electron's modules, the host and paths. `main.ts` provides them.
import type * as Electron from "electron";
import type { Host } from "../../start.ts";
import type { LogFiles } from "../diagnostics/log-files.ts";
import type { PackageUpdater } from "../updates/package-updater.ts";
import type { IngestRequest } from "./add-files.ts";

export type ElectronParts = Pick<
  typeof Electron,
  | "app"
  | "BrowserWindow"
  | "clipboard"
  | "dialog"
  | "ipcMain"
  | "Menu"
  | "nativeTheme"
  | "Notification"
  | "screen"
  | "session"
  | "shell"
>;

export type RunningHost = Pick<Host, "addresses" | "dataDirectory" | "dispatch" | "close">;

/** Writes a line to the log; facts may contain local paths. */
export type Report = (message: string, facts: Readonly<Record<string, unknown>>) => void;

export interface ApplicationOptions {
  readonly electron: ElectronParts;
  /** Command line without the executable and, in a checkout, without the application's folder. */
  readonly args: readonly string[];
  readonly dataDirectory: string;
  readonly preloadPath: string;
  /** Returns the path of a file in the checkout or in the packaged application's resources. */
  readonly resourcePath: (name: "icon" | "notices") => string;
  readonly startHost: () => Promise<RunningHost>;
  readonly ingest: (dataDirectory: string, request: IngestRequest, signal: AbortSignal) => Promise<void>;
  /** Opens the updater at an address of the person's, if there is one. @throws AppError */
  readonly openUpdater: (address: string | undefined, signal: AbortSignal) => Promise<PackageUpdater>;
  /** False if the system's package manager installs updates. */
  readonly canInstallUpdates: boolean;
  readonly logs: LogFiles;
  readonly report: Report;
  /** Writes the addresses for the program that started this one. */
  readonly announce: (host: RunningHost) => void;
}
