// The bridge's page side: a few named functions on a frozen object. `ipcRenderer` itself never reaches the page, and
// neither does a function that would take a channel's name.
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

/** An action by its name: the page calls it with an input, and cannot choose another channel. */
function toEntry(action: ActionName): [ActionName, (input: unknown) => Promise<unknown>] {
  return [action, (input) => ipcRenderer.invoke(channelOf(action), input)];
}

const bridge: DesktopBridge = Object.freeze({
  actions: Object.freeze(Object.fromEntries(actionNames.map(toEntry))) as DesktopBridge["actions"],
  onFilesProgress: (listener: (progress: FilesProgress) => void) => {
    // The event object carries `sender`; only the message goes on to the page.
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
