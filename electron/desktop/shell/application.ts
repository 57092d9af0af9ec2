// The life of the desktop application: one instance, one host, one window. Electron's modules and the host are
// options, so that it runs in tests without Electron.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserWindow } from "electron";
import { desktopNewsChannel } from "../../../shared/contract/action-names.ts";
import type { DesktopNews } from "../../../shared/contract/desktop.ts";
import { AppError, isAppError } from "../../../shared/app-error.ts";
import type { ApplicationOptions, RunningHost } from "./application-options.ts";
import { identity } from "../../../shared/identity.ts";
import { parseOpenArguments } from "../opening/open-arguments.ts";
import { createOpening, type Opening } from "../opening/opening.ts";
import type { UpdateWatch } from "../updates/update-watch.ts";
import { findGatewayOrigin } from "./gateway-origin.ts";
import { listenForOpened, type SecondStart } from "./listen-for-opened.ts";
import { offerActions } from "./offer-actions.ts";
import { guardApp, guardSession, type SecurityOptions } from "./security.ts";
import { closeWithin } from "./shutdown.ts";
import { toWebPreferences } from "./web-preferences.ts";
import { createWindow, focusWindow } from "./window.ts";

/** Longest wait for the host to close. */
const closeLimitMs = 5_000;

/** Resolves when the window's page is loaded, or when another process already runs with this data directory. */
export async function runApplication(options: ApplicationOptions): Promise<void> {
  const { electron, report } = options;
  const { app } = electron;
  app.enableSandbox();
  // Allows WebGL in software without a usable GPU. It is a risk only with untrusted pages, and this window shows only
  // ours.
  app.commandLine.appendSwitch("enable-unsafe-swiftshader");
  app.setAppUserModelId(identity.appId);
  // Chromium's profile is in the data directory, so that two data directories are two applications. It contains the
  // instance lock and must be set before the lock is requested.
  const profile = join(options.dataDirectory, "window", "electron");
  try {
    mkdirSync(profile, { recursive: true });
  } catch (cause) {
    await app.whenReady();
    const detail = "The data folder cannot be created or written to.";
    refuseToStart(options, new AppError("storage-failed", detail, { cause }));
    return;
  }
  app.setPath("userData", profile);
  const secondStart: SecondStart = { args: [...options.args], workingDirectory: process.cwd() };
  if (!app.requestSingleInstanceLock(secondStart)) {
    report("Echotop already runs with this data directory; bringing its window to the front.", {});
    app.quit();
    return;
  }
  const life = new ApplicationLife(options, profile);
  await app.whenReady();
  await life.open();
}

/** Shows the reason in a dialog and ends with status 1. */
function refuseToStart({ electron, report }: ApplicationOptions, error: unknown): void {
  report("Echotop could not start.", { error });
  const detail = isAppError(error) ? error.detail : "Something unexpected went wrong; see the log.";
  electron.dialog.showErrorBox(`${identity.productName} cannot start`, detail);
  electron.app.exit(1);
}

class ApplicationLife {
  readonly #options: ApplicationOptions;
  readonly #profile: string;
  readonly #ending = new AbortController();
  #host: Promise<RunningHost> | undefined;
  #window: BrowserWindow | undefined;
  #updates: UpdateWatch | undefined;
  #isClosed = false;
  readonly #opening: Opening;

  constructor(options: ApplicationOptions, profile: string) {
    this.#options = options;
    this.#profile = profile;
    const { app } = options.electron;
    this.#opening = createOpening({
      onOpened: () => {
        this.#tell("opened");
      },
      report: options.report,
    });
    this.#opening.open(parseOpenArguments(options.args, process.cwd()));
    listenForOpened(app, {
      open: this.#opening.open,
      focus: () => {
        if (this.#window !== undefined) focusWindow(this.#window);
      },
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
      this.#isClosed = true;
      refuseToStart(this.#options, error);
      return;
    }
    const { signal } = this.#ending;
    if (signal.aborted) return;
    announce(host);
    const security = this.#guard(host);
    electron.nativeTheme.themeSource = "dark";
    const window = this.#createWindow(security);
    const { ownOrigin } = security;
    this.#updates = offerActions(this.#options, {
      ...{ host, ownOrigin, signal },
      findWindow: () => this.#window,
      opening: this.#opening,
      tell: (news) => {
        this.#tell(news);
      },
    });
    await window.loadURL(host.addresses.storm!);
  }

  /** Tells the page that there is something to read again. */
  #tell(news: DesktopNews): void {
    this.#window?.webContents.send(desktopNewsChannel, news);
  }

  /** Must run before the window exists, so that nothing is loaded unguarded. */
  #guard(host: RunningHost): SecurityOptions {
    const { electron, report } = this.#options;
    const security: SecurityOptions = {
      ownOrigin: new URL(host.addresses.storm!).origin,
      preferences: toWebPreferences(electron.app.isPackaged),
      openExternally: (url) => {
        electron.shell.openExternal(url).catch((error: unknown) => {
          report("A link could not be opened in the system's browser.", { error });
        });
      },
      findGatewayOrigin: () => findGatewayOrigin(host),
      report,
    };
    guardSession(electron.session.defaultSession, security);
    guardApp(electron.app, security);
    return security;
  }

  #createWindow({ preferences }: SecurityOptions): BrowserWindow {
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
      // A presenter's window does not outlive it.
      electron.app.quit();
    });
    window.webContents.on("render-process-gone", (_event, { reason }) => {
      if (reason !== "clean-exit") void this.#offerReload(reason);
    });
    return window;
  }

  async #offerReload(reason: string): Promise<void> {
    const { electron, report } = this.#options;
    report("The viewer's process ended.", { reason });
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

  async #close(): Promise<void> {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort();
    const host = this.#host;
    const close = async (): Promise<void> => {
      const running = await host;
      await running?.close();
    };
    await closeWithin(close, closeLimitMs, this.#options.report);
    await this.#updates?.finish();
    this.#isClosed = true;
    this.#options.electron.app.exit(0);
  }
}
