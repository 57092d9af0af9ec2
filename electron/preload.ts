// The bridge's page side: a few named functions on a frozen object. `ipcRenderer` itself never reaches the page, and
// neither does a function that would take a channel's name.
import { contextBridge, ipcRenderer, type IpcRendererEvent } from "electron";
import type { AddFilesInput, DesktopBridge, FilesProgress } from "../shared/contract/desktop.ts";
import { channelOf, desktopBridgeKey, filesProgressChannel } from "../shared/contract/desktop-channels.ts";

const bridge: DesktopBridge = Object.freeze({
  appInfo: () => ipcRenderer.invoke(channelOf("app.info"), {}) as ReturnType<DesktopBridge["appInfo"]>,
  addFiles: (input: AddFilesInput) =>
    ipcRenderer.invoke(channelOf("files.add"), input) as ReturnType<DesktopBridge["addFiles"]>,
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
