// What the desktop application is made of: Electron's modules, the host and the paths, handed in by `main.ts`.
import type * as Electron from "electron";
import type { Dispatch } from "../../../shared/contract/actions.ts";
import type { IngestRequest } from "./add-files.ts";

export type ElectronParts = Pick<
  typeof Electron,
  "app" | "BrowserWindow" | "dialog" | "ipcMain" | "Menu" | "nativeTheme" | "screen" | "session" | "shell"
>;

export interface RunningHost {
  readonly addresses: {
    readonly storm: string;
    readonly api: string | null;
    readonly gateway: string | null;
  };
  readonly dataDirectory: string;
  /** Runs one of the actions that need no desktop. */
  readonly dispatch: Dispatch;
  readonly close: () => Promise<void>;
}

/** A line in the log, for people; facts may name local paths. */
export type Report = (message: string, facts: Readonly<Record<string, unknown>>) => void;

export interface ApplicationOptions {
  readonly electron: ElectronParts;
  readonly dataDirectory: string;
  readonly preloadPath: string;
  /** Where icon and notices lie: the checkout, or the packaged application's resources. */
  readonly resourcePath: (name: "icon" | "notices") => string;
  readonly startHost: () => Promise<RunningHost>;
  readonly ingest: (dataDirectory: string, request: IngestRequest, signal: AbortSignal) => Promise<void>;
  readonly report: Report;
  /** Tells the program that started us where requests are answered. */
  readonly announce: (host: RunningHost) => void;
}
