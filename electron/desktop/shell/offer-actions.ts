// Offers the application's actions to the page, over the bridge, and in the menu.
import { basename } from "node:path";
import type { BrowserWindow } from "electron";
import { createDispatch } from "../../../shared/actions/dispatch.ts";
import {
  desktopActionNames,
  type ActionName,
  type DesktopActionName,
} from "../../../shared/contract/action-names.ts";
import type { Dispatch } from "../../../shared/contract/actions.ts";
import type { AppInfo } from "../../../shared/contract/desktop.ts";
import { createAddFiles } from "./add-files.ts";
import type { ApplicationOptions, RunningHost } from "./application-options.ts";
import { chooseFiles } from "./choose-files.ts";
import { createBridgeDispatch, registerActions } from "./bridge-dispatch.ts";
import { identity } from "../../../shared/identity.ts";
import { runMenu } from "./menu-commands.ts";
import { showProgress } from "./show-progress.ts";

export interface ActionsPlace {
  readonly host: RunningHost;
  readonly ownOrigin: string;
  /** Returns the application's window; undefined once it is closed. */
  readonly findWindow: () => BrowserWindow | undefined;
  /** Aborted when the application ends. */
  readonly signal: AbortSignal;
}

export function offerActions(options: ApplicationOptions, place: ActionsPlace): void {
  const { electron, ingest, report, resourcePath } = options;
  const { host, ownOrigin, findWindow, signal } = place;
  const addFiles = createAddFiles({
    choose: (what) => chooseFiles(electron.dialog, findWindow(), what),
    ingest: (request) => ingest(host.dataDirectory, request, signal),
    tell: (progress) => {
      const window = findWindow();
      if (window !== undefined) showProgress(window, progress);
    },
  });
  const appInfo = toAppInfo(electron.app.getVersion(), host);
  const ownDispatch = createDispatch<DesktopActionName>({
    handlers: { "app.info": () => Promise.resolve(appInfo), "files.add": addFiles },
    report,
  });
  const dispatch: Dispatch<ActionName> = (action, input) =>
    isDesktopAction(action) ? ownDispatch(action, input) : host.dispatch(action, input);
  registerActions({
    ipcMain: electron.ipcMain,
    dispatch: createBridgeDispatch({ ownOrigin, dispatch, report }),
    ownContents: () => findWindow()?.webContents,
  });
  runMenu({ electron, findWindow, addFiles, noticesPath: resourcePath("notices"), report });
}

function isDesktopAction(action: ActionName): action is DesktopActionName {
  return (desktopActionNames as readonly ActionName[]).includes(action);
}

function toAppInfo(version: string, { dataDirectory }: RunningHost): AppInfo {
  const { electron, chrome, node } = process.versions;
  return {
    name: identity.productName,
    version,
    platform: process.platform,
    electronVersion: electron,
    chromiumVersion: chrome,
    nodeVersion: node,
    dataDirectoryName: basename(dataDirectory),
  };
}
