// Calls over the bridge, without Electron: who may call, with what, and what comes back. A call from any frame but the
// main frame of our own page is refused before its arguments are looked at; nothing but `Outcome` ever goes back.
import type * as z from "zod";
import { isAppError, messageOf } from "../../shared/app-error.ts";
import { desktopActions } from "../../shared/contract/desktop.ts";
import type { DesktopInput, DesktopOutput, Outcome } from "../../shared/contract/desktop.ts";
import type { DesktopActionName } from "../../shared/contract/desktop-channels.ts";
import type { Report } from "./application-options.ts";

/** The frame that a call comes from, as Electron reports it. */
export interface CallSender {
  /** Serialized origin of the frame's document; undefined when the frame is gone. */
  readonly origin: string | undefined;
  readonly isMainFrame: boolean;
  /** Whether the frame belongs to the application's own window. */
  readonly isOwnWindow: boolean;
}

export type ActionHandlers = {
  readonly [Name in DesktopActionName]: (input: DesktopInput<Name>) => Promise<DesktopOutput<Name>>;
};

export interface DispatchOptions {
  readonly ownOrigin: string;
  readonly handlers: ActionHandlers;
  /** For the log: what was refused or went wrong. */
  readonly report: Report;
}

export type Dispatch = (
  action: DesktopActionName,
  sender: CallSender,
  input: unknown,
) => Promise<Outcome<unknown>>;

export function createDispatch({ ownOrigin, handlers, report }: DispatchOptions): Dispatch {
  return async (action, sender, input) => {
    if (!sender.isOwnWindow || !sender.isMainFrame || sender.origin !== ownOrigin) {
      report("A call over the desktop bridge was refused.", { action, origin: sender.origin });
      return { problem: { code: "refused", detail: "This page may not use the desktop bridge." } };
    }
    const parsed = desktopActions[action].input.safeParse(input);
    if (!parsed.success) {
      return { problem: { code: "invalid-input", detail: toSentence(action, parsed.error) } };
    }
    try {
      // The schema of `action` made the data, so it is what the handler of `action` takes; the compiler cannot
      // follow a lookup by the same name in two tables.
      const handle = handlers[action] as (data: unknown) => Promise<unknown>;
      return { ok: await handle(parsed.data) };
    } catch (error) {
      if (isAppError(error)) return { problem: { code: error.code, detail: error.detail } };
      report("A call over the desktop bridge failed.", { action, error: messageOf(error) });
      return { problem: { code: "unexpected", detail: "Echotop could not do that. Its log says why." } };
    }
  };
}

function toSentence(action: DesktopActionName, error: z.ZodError): string {
  const issue = error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  return `The arguments of ${action} are not what it takes${where}.`;
}
