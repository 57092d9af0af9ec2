// Runs actions for every carrier: parses the input, calls the handler, and converts errors to problems for people.
// The carrier checks who may call.
import type * as z from "zod";
import { isAppError, messageOf } from "../app-error.ts";
import type { ActionName } from "../contract/action-names.ts";
import { actions, type ActionHandlers, type Dispatch } from "../contract/actions.ts";

export interface DispatchOptions<Name extends ActionName> {
  readonly handlers: ActionHandlers<Name>;
  /** Logs failures that the caller did not cause. */
  readonly report: (message: string, facts: Readonly<Record<string, unknown>>) => void;
}

export function createDispatch<Name extends ActionName>({
  handlers,
  report,
}: DispatchOptions<Name>): Dispatch<Name> {
  return async (action, input) => {
    const parsed = actions[action].input.safeParse(input);
    if (!parsed.success) {
      return { problem: { code: "invalid-input", detail: toSentence(action, parsed.error) } };
    }
    try {
      // The data was parsed with the schema of `action`; the compiler cannot relate two tables by one name.
      const handle = handlers[action] as (data: unknown) => Promise<unknown>;
      return { ok: await handle(parsed.data) };
    } catch (error) {
      if (isAppError(error)) {
        if (error.code === "storage-failed" || error.code === "stored-data-invalid")
          report("An action failed.", { action, error: error.detail, cause: error.cause });
        return { problem: { code: error.code, detail: error.detail } };
      }
      report("An action failed.", { action, error: messageOf(error) });
      return { problem: { code: "unexpected", detail: "Echotop could not do that. Its log says why." } };
    }
  };
}

/** Returns the message of our own rule, or the invalid place. */
function toSentence(action: ActionName, error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue?.code === "custom") return `${issue.message}.`;
  const where = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  return `The arguments of ${action} are not what it takes${where}.`;
}
