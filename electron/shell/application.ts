// The desktop application's life: one instance, one host, one window, one orderly end. Electron's modules and the host
// come in from `main.ts`, so all of this runs in a test without Electron.
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import type * as Electron from "electron";
import { isAppError } from "../../shared/app-error.ts";
import { createAddFiles, type IngestRequest } from "./add-files.ts";
import { chooseFiles } from "./choose-files.ts";
import { createDispatch } from "./dispatch.ts";
import { identity } from "./identity.ts";
import { registerActions } from "./ipc.ts";
import { runMenu } from "./menu-commands.ts";
import { guardApp, guardSession, type SecurityOptions } from "./security.ts";
import { closeWithin } from "./shutdown.ts";
import { showProgress } from "./show-progress.ts";
import { toWebPreferences } from "./web-preferences.ts";
import { createWindow, focusWindow } from "./window.ts";

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
  readonly close: () => Promise<void>;
}

export interface ApplicationOptions {
  readonly electron: ElectronParts;
  readonly dataDirectory: string;
  readonly preloadPath: string;
  /** Where icon, licence and notices lie: the checkout, or the packaged application's resources. */
  readonly resourcePath: (name: "icon" | "notices") => string;
  readonly startHost: () => Promise<RunningHost>;
  readonly ingest: (dataDirectory: string, request: IngestRequest, signal: AbortSignal) => Promise<void>;
  readonly report: (message: string, facts: Readonly<Record<string, unknown>>) => void;
  /** Tells the program that started us where requests are answered. */
  readonly announce: (host: RunningHost) => void;
}

/** How long the host may take to close before the process ends without it. */
const closeLimitMs = 5_000;

/** Resolves when the window's page is loading, or when this process has nothing to do because another one has it. */
export async function runApplication(options: ApplicationOptions): Promise<void> {
  const { electron, report } = options;
  const { app } = electron;
  app.enableSandbox();
  app.setAppUserModelId(identity.appId);
  // Chromium's profile lives with the data, so that two data directories are two applications. The instance lock
  // stands in the profile: it must be known before the lock is asked for.
  const profile = join(options.dataDirectory, "window", "electron");
  mkdirSync(profile, { recursive: true });
  app.setPath("userData", profile);
  if (!app.requestSingleInstanceLock()) {
    report("Echotop is running already with this data directory; its window comes to the front.", {});
    app.quit();
    return;
  }
  const life = new ApplicationLife(options, profile);
  await app.whenReady();
  await life.open();
}

class ApplicationLife {
  readonly #options: ApplicationOptions;
  readonly #profile: string;
  readonly #ending = new AbortController();
  #host: Promise<RunningHost> | undefined;
  #window: Electron.BrowserWindow | undefined;
  #isClosed = false;

  constructor(options: ApplicationOptions, profile: string) {
    this.#options = options;
    this.#profile = profile;
    const { app } = options.electron;
    app.on("second-instance", () => {
      if (this.#window !== undefined) focusWindow(this.#window);
    });
    app.on("window-all-closed", () => {
      app.quit();
    });
    app.on("will-quit", (event) => {
      if (this.#isClosed) return;
      event.preventDefault();
      void this.#close();
    });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        app.quit();
      });
    }
  }

  async open(): Promise<void> {
    const { electron, announce, startHost } = this.#options;
    this.#host = startHost();
    let host: RunningHost;
    try {
      host = await this.#host;
    } catch (error) {
      this.#host = undefined;
      this.#sayWhyNot(error);
      return;
    }
    if (this.#ending.signal.aborted) return;
    announce(host);
    const security = this.#guard(host);
    const window = this.#createWindow(security);
    this.#offerActions(host, window, security.ownOrigin);
    electron.nativeTheme.themeSource = "dark";
    await window.loadURL(host.addresses.storm);
  }

  #guard(host: RunningHost): SecurityOptions {
    const { electron, report } = this.#options;
    const security: SecurityOptions = {
      ownOrigin: new URL(host.addresses.storm).origin,
      preferences: toWebPreferences(electron.app.isPackaged),
      openExternally: (url) => {
        electron.shell.openExternal(url).catch((error: unknown) => {
          report("A link could not be opened in the system's browser.", { error });
        });
      },
      report,
    };
    guardSession(electron.session.defaultSession, security);
    guardApp(electron.app, security);
    return security;
  }

  #createWindow({ preferences }: SecurityOptions): Electron.BrowserWindow {
    const { electron, preloadPath, resourcePath, report } = this.#options;
    const window = createWindow({
      BrowserWindow: electron.BrowserWindow,
      screen: electron.screen,
      preferences,
      preloadPath,
      iconPath: process.platform === "linux" ? resourcePath("icon") : undefined,
      statePath: join(this.#profile, "window-state.json"),
      report,
    });
    this.#window = window;
    window.on("closed", () => {
      this.#window = undefined;
    });
    window.webContents.on("render-process-gone", (_event, { reason }) => {
      if (reason !== "clean-exit") void this.#offerReload(reason);
    });
    return window;
  }

  #offerActions(host: RunningHost, window: Electron.BrowserWindow, ownOrigin: string): void {
    const { electron, ingest, report, resourcePath } = this.#options;
    const addFiles = createAddFiles({
      choose: (what) => chooseFiles(electron.dialog, this.#window, what),
      ingest: (request) => ingest(host.dataDirectory, request, this.#ending.signal),
      tell: (progress) => {
        if (this.#window !== undefined) showProgress(this.#window, progress);
      },
    });
    const appInfo = {
      name: identity.productName,
      version: electron.app.getVersion(),
      platform: process.platform,
      electronVersion: process.versions.electron,
      chromiumVersion: process.versions.chrome,
      nodeVersion: process.versions.node,
      dataDirectoryName: basename(host.dataDirectory),
    };
    const handlers = { "app.info": () => Promise.resolve(appInfo), "files.add": addFiles };
    registerActions({
      ipcMain: electron.ipcMain,
      dispatch: createDispatch({ ownOrigin, handlers, report }),
      ownContents: () => this.#window?.webContents,
    });
    runMenu({ electron, window, addFiles, noticesPath: resourcePath("notices"), report });
  }

  async #offerReload(reason: string): Promise<void> {
    const { electron, report } = this.#options;
    report("The viewer's process is gone.", { reason });
    const window = this.#window;
    if (window === undefined || this.#ending.signal.aborted) return;
    const { response } = await electron.dialog.showMessageBox(window, {
      type: "error",
      message: "The viewer stopped unexpectedly.",
      detail: "Nothing that was published is lost.",
      buttons: ["Open it again", "Quit"],
      defaultId: 0,
      cancelId: 1,
    });
    if (response === 0) window.webContents.reload();
    else electron.app.quit();
  }

  /** The host could not start: says why in plain words and ends with status 1. */
  #sayWhyNot(error: unknown): void {
    const { electron, report } = this.#options;
    report("The host could not start.", { error });
    const detail = isAppError(error) ? error.detail : "Something unexpected went wrong; the log says what.";
    electron.dialog.showErrorBox(`${identity.productName} cannot start`, detail);
    this.#isClosed = true;
    electron.app.exit(1);
  }

  async #close(): Promise<void> {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort();
    const host = this.#host;
    const close = async (): Promise<void> => {
      const running = await host;
      await running?.close();
    };
    await closeWithin(close, closeLimitMs, this.#options.report);
    this.#isClosed = true;
    this.#options.electron.app.exit(0);
  }
}
