// What the application menu does: installs it, and carries out its commands.
import type * as Electron from "electron";
import { isAppError } from "../../../shared/app-error.ts";
import type { AddFilesInput, AddFilesResult } from "../../../shared/contract/desktop.ts";
import { summarize, type Summary } from "./added-files-summary.ts";
import type { Report } from "./application-options.ts";
import { identity } from "../../../shared/identity.ts";
import { toMenu, type MenuCommand } from "./menu-template.ts";
import { toElectronMenu } from "./menu.ts";

export interface MenuOptions {
  readonly electron: Pick<typeof Electron, "app" | "dialog" | "Menu" | "shell">;
  /** The application's window, or undefined once it is closed. */
  readonly findWindow: () => Electron.BrowserWindow | undefined;
  readonly addFiles: (input: AddFilesInput) => Promise<AddFilesResult>;
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
  const sections = toMenu({
    platform: process.platform,
    productName: identity.productName,
    isPackaged: app.isPackaged,
  });
  const commands = createCommands(options);
  const template = toElectronMenu(sections, (command) => {
    commands[command]().catch((error: unknown) => {
      options.report("A menu command failed.", { command, error });
    });
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

function createCommands(options: MenuOptions): Readonly<Record<MenuCommand, () => Promise<void>>> {
  return {
    "add-files": () => addAndTell(options, "files"),
    "add-folder": () => addAndTell(options, "folder"),
    "show-notices": () => showNotices(options),
  };
}

/** A failure of the whole is told in a dialog too: who chose a menu entry looks at the window, not at a log. */
async function addAndTell(
  { findWindow, addFiles, electron, report }: MenuOptions,
  choose: AddFilesInput["choose"],
): Promise<void> {
  const summary = await addFiles({ choose }).then(summarize, (error: unknown): Summary => {
    report("The files could not be added.", { error });
    const detail = isAppError(error) ? error.detail : "Something unexpected went wrong; the log says what.";
    return { tone: "error", message: "The files could not be added.", detail };
  });
  const window = findWindow();
  if (summary === undefined || window === undefined) return;
  const { tone: type, message, detail } = summary;
  await electron.dialog.showMessageBox(window, { type, message, detail });
}

/** Where nothing on the system opens a Markdown file, its folder is shown instead. */
async function showNotices({ electron, noticesPath, report }: MenuOptions): Promise<void> {
  const problem = await electron.shell.openPath(noticesPath);
  if (problem === "") return;
  report("The notices could not be opened; showing their folder.", { problem });
  electron.shell.showItemInFolder(noticesPath);
}
