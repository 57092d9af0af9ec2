// Puts the bridge's actions on Electron's IPC: one channel an action, each call judged by `dispatch.ts`.
import type { IpcMain, IpcMainInvokeEvent, WebContents } from "electron";
import { actionNames, channelOf } from "../../../shared/contract/action-names.ts";
import type { BridgeDispatch, CallSender } from "./bridge-dispatch.ts";

export interface IpcOptions {
  readonly ipcMain: Pick<IpcMain, "handle">;
  readonly dispatch: BridgeDispatch;
  /** The contents of the application's window, or undefined while there is none. */
  readonly ownContents: () => WebContents | undefined;
}

export function registerActions({ ipcMain, dispatch, ownContents }: IpcOptions): void {
  for (const action of actionNames) {
    ipcMain.handle(channelOf(action), (event, input: unknown) =>
      dispatch(action, toSender(event, ownContents()), input),
    );
  }
}

function toSender(event: IpcMainInvokeEvent, ownContents: WebContents | undefined): CallSender {
  const frame = event.senderFrame;
  return {
    origin: frame?.origin,
    isMainFrame: frame?.parent === null,
    isOwnWindow: event.sender.id === ownContents?.id,
  };
}
