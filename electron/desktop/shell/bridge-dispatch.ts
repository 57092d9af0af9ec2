// The application's side of the desktop bridge: one IPC channel for each action. The sender of every call is checked
// before the action's dispatch sees the input; a refusal returns only a sentence.
import type { IpcMain, IpcMainInvokeEvent, WebContents } from "electron";
import { actionNames, channelOf, type ActionName } from "../../../shared/contract/action-names.ts";
import type { Dispatch, Outcome } from "../../../shared/contract/actions.ts";
import type { Report } from "./application-options.ts";

/** The frame that a call comes from, as Electron reports it. */
export interface CallSender {
  /** Serialized origin of the frame's document; undefined if the frame is gone. */
  readonly origin: string | undefined;
  readonly isMainFrame: boolean;
  /** True if the frame belongs to the application's window. */
  readonly isOwnWindow: boolean;
}

export interface BridgeOptions {
  readonly ownOrigin: string;
  readonly dispatch: Dispatch<ActionName>;
  /** Logs refused calls. */
  readonly report: Report;
}

export type BridgeDispatch = (
  action: ActionName,
  sender: CallSender,
  input: unknown,
) => Promise<Outcome<unknown>>;

export function createBridgeDispatch({ ownOrigin, dispatch, report }: BridgeOptions): BridgeDispatch {
  return async (action, sender, input) => {
    if (!sender.isOwnWindow || !sender.isMainFrame || sender.origin !== ownOrigin) {
      report("A call over the desktop bridge was refused.", { action, origin: sender.origin });
      return { problem: { code: "refused", detail: "This page may not use the desktop bridge." } };
    }
    return dispatch(action, input);
  };
}

export interface IpcOptions {
  readonly ipcMain: Pick<IpcMain, "handle">;
  readonly dispatch: BridgeDispatch;
  /** Returns the contents of the application's window; undefined if there is none. */
  readonly ownContents: () => WebContents | undefined;
}

export function registerActions({ ipcMain, dispatch, ownContents }: IpcOptions): void {
  for (const action of actionNames) {
    ipcMain.handle(channelOf(action), (event, input: unknown) =>
      dispatch(action, toSender(event, ownContents()), input),
    );
  }
}

function toSender({ sender, senderFrame }: IpcMainInvokeEvent, own: WebContents | undefined): CallSender {
  return {
    origin: senderFrame?.origin,
    isMainFrame: senderFrame?.parent === null,
    isOwnWindow: sender.id === own?.id,
  };
}
