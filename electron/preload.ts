// The page's side of the desktop bridge: named functions on a frozen object. Neither `ipcRenderer` nor a function
// that takes a channel's name reaches the page.
import { contextBridge, ipcRenderer, type IpcRendererEvent } from "electron";
import {
  actionNames,
  channelOf,
  desktopBridgeKey,
  desktopNewsChannel,
  filesProgressChannel,
  type ActionName,
} from "../shared/contract/action-names.ts";
import type { DesktopBridge } from "../shared/contract/bridge.ts";

/** Returns an action's name and its function, which cannot use another channel. */
function toEntry(action: ActionName): [ActionName, (input: unknown) => Promise<unknown>] {
  return [action, (input) => ipcRenderer.invoke(channelOf(action), input)];
}

/** Returns a function that subscribes a listener to one channel. */
function toSubscription(channel: string): (listener: (message: never) => void) => () => void {
  return (listener) => {
    // The page gets only the message: the event object has `sender`.
    const forward = (_event: IpcRendererEvent, message: unknown): void => {
      listener(message as never);
    };
    ipcRenderer.on(channel, forward);
    return () => {
      ipcRenderer.off(channel, forward);
    };
  };
}

const bridge: DesktopBridge = Object.freeze({
  actions: Object.freeze(Object.fromEntries(actionNames.map(toEntry))) as DesktopBridge["actions"],
  onFilesProgress: toSubscription(filesProgressChannel),
  onNews: toSubscription(desktopNewsChannel),
});

contextBridge.exposeInMainWorld(desktopBridgeKey, bridge);
