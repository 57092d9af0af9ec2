// Installs the application menu and runs its commands.
import type * as Electron from "electron";
import { AppError, isAppError } from "../../../shared/app-error.ts";
import type { AddFilesInput, AddFilesResult } from "../../../shared/contract/desktop.ts";
import { summarize, type Summary } from "./added-files-summary.ts";
import type { Report } from "./application-options.ts";
import { identity } from "../../../shared/identity.ts";
import type { UpdateMode } from "../../../shared/contract/desktop.ts";
import type { UpdateWatch } from "../updates/update-watch.ts";
import type { DesktopSettingsFile } from "./desktop-settings.ts";
import { checkAndReport } from "./report-update.ts";
import { toMenu, type MenuCommand } from "./menu-template.ts";

export interface MenuOptions {
  readonly electron: Pick<typeof Electron, "app" | "dialog" | "Menu" | "shell">;
  /** Returns the application's window; undefined once it is closed. */
  readonly findWindow: () => Electron.BrowserWindow | undefined;
  readonly addFiles: (input: AddFilesInput) => Promise<AddFilesResult>;
  readonly updates: UpdateWatch;
  readonly settings: DesktopSettingsFile;
  readonly copyDiagnostics: () => Promise<void>;
  readonly logFolder: string;
  readonly noticesPath: string;
  readonly report: Report;
}

export function runMenu(options: MenuOptions): void {
  const { app, Menu } = options.electron;
  app.setAboutPanelOptions({
    applicationName: identity.productName,
    applicationVersion: app.getVersion(),
    copyright: identity.copyright,
  });
  const commands = createCommands(options);
  /** Again after each choice, for its mark. */
  const install = (): void => {
    const { updates, notifications } = options.settings.current();
    const template = toMenu({
      platform: process.platform,
      productName: identity.productName,
      isPackaged: app.isPackaged,
      updateMode: updates.mode,
      showsNotifications: notifications,
      run: (command) => {
        commands[command]()
          .then(install)
          .catch((error: unknown) => {
            options.report("A menu command failed.", { command, error });
            const message = isAppError(error) ? error.detail : "This did not work; the log says why.";
            return tellPerson(options, "error", message);
          });
      },
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  };
  install();
}

function createCommands(options: MenuOptions): Readonly<Record<MenuCommand, () => Promise<void>>> {
  const { settings, updates } = options;
  const chooseMode = (mode: UpdateMode) => async () => {
    settings.change({ updates: { ...settings.current().updates, mode } });
    updates.setMode(mode);
    // Reports a wrong address or key at once, not after half a day.
    if (mode !== "off") await checkAndReport(options);
  };
  return {
    "add-files": () => addAndReport(options, "files"),
    "add-folder": () => addAndReport(options, "folder"),
    "check-for-updates": () => checkAndReport(options),
    "updates-off": chooseMode("off"),
    "updates-notify": chooseMode("notify"),
    "updates-install": chooseMode("install"),
    "toggle-notifications": () => {
      settings.change({ notifications: !settings.current().notifications });
      return Promise.resolve();
    },
    "open-logs": () => openLogs(options),
    "copy-diagnostics": async () => {
      await options.copyDiagnostics();
      await tellPerson(options, "info", "The diagnostics were copied. Paste them into your report.");
    },
    "show-notices": () => showNotices(options),
  };
}

/** Adds files and shows the result in a dialog; a person who uses the menu does not look at the log. */
async function addAndReport(
  { findWindow, addFiles, electron, report }: MenuOptions,
  choose: AddFilesInput["choose"],
): Promise<void> {
  const summary = await addFiles({ choose }).then(summarize, (error: unknown): Summary => {
    report("The files could not be added.", { error });
    const detail = isAppError(error) ? error.detail : "Something unexpected went wrong; see the log.";
    return { tone: "error", message: "The files could not be added.", detail };
  });
  const window = findWindow();
  if (summary === undefined || window === undefined) return;
  const { tone: type, message, detail } = summary;
  await electron.dialog.showMessageBox(window, { type, message, detail });
}

/** Says the outcome of a command in a dialog. */
async function tellPerson(
  { findWindow, electron }: MenuOptions,
  type: Summary["tone"],
  message: string,
): Promise<void> {
  const window = findWindow();
  if (window !== undefined) await electron.dialog.showMessageBox(window, { type, message });
}

async function openLogs({ electron, logFolder }: MenuOptions): Promise<void> {
  const problem = await electron.shell.openPath(logFolder);
  if (problem === "") return;
  const sentence = "The log folder could not be opened. It is the folder “logs” in the data folder.";
  throw new AppError("conflict", sentence, { cause: new Error(problem) });
}

/** Opens the notices, or their folder if no program opens Markdown files. */
async function showNotices({ electron, noticesPath, report }: MenuOptions): Promise<void> {
  const problem = await electron.shell.openPath(noticesPath);
  if (problem === "") return;
  report("The notices could not be opened; showing their folder.", { problem });
  electron.shell.showItemInFolder(noticesPath);
}
