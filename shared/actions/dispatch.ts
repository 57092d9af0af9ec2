// One way in for every carrier of actions: parses the input, runs the handler, and turns whatever is thrown into a problem
// that a person may read. Who may call at all is the carrier's business.
import type * as z from "zod";
import { isAppError, messageOf } from "../app-error.ts";
import type { ActionName } from "../contract/action-names.ts";
import { actions, type ActionHandlers, type Dispatch } from "../contract/actions.ts";

export interface DispatchOptions<Name extends ActionName> {
  readonly handlers: ActionHandlers<Name>;
  /** For the log: what went wrong and is no fault of the caller's. */
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
      // The schema of `action` made the data, so it is what the handler of `action` takes; the compiler cannot
      // follow a lookup by the same name in two tables.
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

/** A rule of our own says its own sentence; anything else names the place alone. */
function toSentence(action: ActionName, error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue?.code === "custom") return `${issue.message}.`;
  const where = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  return `The arguments of ${action} are not what it takes${where}.`;
}
