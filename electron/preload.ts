// The page's side of the desktop bridge: named functions on a frozen object. Neither `ipcRenderer` nor a function
// that takes a channel's name reaches the page.
import { contextBridge, ipcRenderer, type IpcRendererEvent } from "electron";
import {
  actionNames,
  channelOf,
  desktopBridgeKey,
  filesProgressChannel,
  type ActionName,
} from "../shared/contract/action-names.ts";
import type { FilesProgress } from "../shared/contract/desktop.ts";
import type { DesktopBridge } from "../shared/contract/bridge.ts";

/** Returns an action's name and its function, which cannot use another channel. */
function toEntry(action: ActionName): [ActionName, (input: unknown) => Promise<unknown>] {
  return [action, (input) => ipcRenderer.invoke(channelOf(action), input)];
}

const bridge: DesktopBridge = Object.freeze({
  actions: Object.freeze(Object.fromEntries(actionNames.map(toEntry))) as DesktopBridge["actions"],
  onFilesProgress: (listener: (progress: FilesProgress) => void) => {
    // The page gets only the message: the event object has `sender`.
    const forward = (_event: IpcRendererEvent, progress: FilesProgress): void => {
      listener(progress);
    };
    ipcRenderer.on(filesProgressChannel, forward);
    return () => {
      ipcRenderer.off(filesProgressChannel, forward);
    };
  },
});

contextBridge.exposeInMainWorld(desktopBridgeKey, bridge);
