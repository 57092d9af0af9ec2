// Offers the application's actions to the page, over the bridge, and in the menu.
import { basename, join } from "node:path";
import type { BrowserWindow } from "electron";
import { createDispatch } from "../../../shared/actions/dispatch.ts";
import { toUpdateSentence } from "../../../shared/actions/update-sentence.ts";
import {
  desktopActionNames,
  type ActionName,
  type DesktopActionName,
} from "../../../shared/contract/action-names.ts";
import type { Dispatch } from "../../../shared/contract/actions.ts";
import type { AppInfo, DesktopNews } from "../../../shared/contract/desktop.ts";
import type { Opening } from "../opening/opening.ts";
import { watchUpdates, type UpdateWatch } from "../updates/update-watch.ts";
import { createAddFiles } from "./add-files.ts";
import type { ApplicationOptions, RunningHost } from "./application-options.ts";
import { chooseFiles } from "./choose-files.ts";
import { copyDiagnostics } from "./copy-diagnostics.ts";
import { createBridgeDispatch, registerActions } from "./bridge-dispatch.ts";
import { openDesktopSettings, type DesktopSettingsFile } from "./desktop-settings.ts";
import { identity } from "../../../shared/identity.ts";
import { runMenu } from "./menu-commands.ts";
import { createNotifications, type Notifications } from "./notifications.ts";
import { showProgress } from "./show-progress.ts";

export interface ActionsPlace {
  readonly host: RunningHost;
  readonly ownOrigin: string;
  /** Returns the application's window; undefined once it is closed. */
  readonly findWindow: () => BrowserWindow | undefined;
  /** Files and links from outside. */
  readonly opening: Opening;
  /** Tells the page what to read again. */
  readonly tell: (news: DesktopNews) => void;
  /** Aborted when the application ends. */
  readonly signal: AbortSignal;
}

/** Returns the watch over updates, which installs when the application ends. */
export function offerActions(options: ApplicationOptions, place: ActionsPlace): UpdateWatch {
  const { electron, ingest, report, resourcePath, logs } = options;
  const { host, ownOrigin, findWindow, opening, signal } = place;
  const settings = openDesktopSettings(join(host.dataDirectory, "desktop.json"), report);
  const { Notification } = electron;
  const isOn = (): boolean => settings.current().notifications;
  const notifications = createNotifications({ Notification, findWindow, isOn });
  const updates = startUpdates(options, place, { settings, notifications });
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
    handlers: {
      "app.info": () => Promise.resolve(appInfo),
      "files.add": (input) => addFiles(input),
      "opened.take": () => Promise.resolve({ opened: opening.take() }),
      "updates.read": () => Promise.resolve(updates.state()),
      "updates.install": updates.install,
      "notifications.show": (input) => Promise.resolve({ shown: notifications.show(input) }),
      "notifications.hold": ({ on }) => {
        notifications.hold(on);
        return Promise.resolve({ on });
      },
    },
    report,
  });
  const dispatch: Dispatch<ActionName> = (action, input) =>
    isDesktopAction(action) ? ownDispatch(action, input) : host.dispatch(action, input);
  registerActions({
    ipcMain: electron.ipcMain,
    dispatch: createBridgeDispatch({ ownOrigin, dispatch, report }),
    ownContents: () => findWindow()?.webContents,
  });
  findWindow()?.webContents.on("did-navigate", () => {
    notifications.hold(false);
  });
  opening.start((paths) => addFiles({ choose: "files" }, paths));
  runMenu({
    ...{ electron, findWindow, addFiles, updates, settings, report },
    copyDiagnostics: () => copyDiagnostics({ electron, host, logs }),
    logFolder: logs.folder,
    noticesPath: resourcePath("notices"),
  });
  return updates;
}

interface UpdateParts {
  readonly settings: DesktopSettingsFile;
  readonly notifications: Notifications;
}

function startUpdates(
  { electron, openUpdater, canInstallUpdates, report }: ApplicationOptions,
  { tell, signal }: ActionsPlace,
  { settings, notifications }: UpdateParts,
): UpdateWatch {
  return watchUpdates({
    open: () => openUpdater(settings.current().updates.address, signal),
    canInstall: canInstallUpdates,
    mode: settings.current().updates.mode,
    onChange: (state) => {
      tell("updates");
      if (state.step !== "ready") return;
      const body = toUpdateSentence(state, electron.app.getVersion());
      notifications.show({ title: identity.productName, body });
    },
    report,
  });
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
