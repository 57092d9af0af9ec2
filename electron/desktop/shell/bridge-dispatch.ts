// One way in for every call over the desktop bridge: who calls is judged here, before the action's own dispatch sees the
// input. What was refused goes to the log; of the refusal only a sentence ever goes back.
import type { ActionName } from "../../../shared/contract/action-names.ts";
import type { Dispatch, Outcome } from "../../../shared/contract/actions.ts";
import type { Report } from "./application-options.ts";

/** The frame that a call comes from, as Electron reports it. */
export interface CallSender {
  /** Serialized origin of the frame's document; undefined when the frame is gone. */
  readonly origin: string | undefined;
  readonly isMainFrame: boolean;
  /** Whether the frame belongs to the application's own window. */
  readonly isOwnWindow: boolean;
}

export interface BridgeOptions {
  readonly ownOrigin: string;
  readonly dispatch: Dispatch<ActionName>;
  /** For the log: what was refused. */
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
