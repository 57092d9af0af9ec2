// Carries the viewer's actions to the host: over the desktop's bridge, or with `POST /app/ACTION` and the run's
// token. Without either the viewer is read-only.
import * as z from "zod";
import { actionPathPrefix, type ActionName } from "../../shared/contract/action-names.ts";
import { actions, Problem, type ActionInput, type ActionOutput } from "../../shared/contract/actions.ts";
import type { DesktopBridge } from "../../shared/contract/bridge.ts";
import { ErrorBody } from "../../shared/contract/primitives.ts";

export type ActionProblemCode = Problem["code"] | "unreachable" | "unreadable";

export interface ActionProblem {
  readonly code: ActionProblemCode;
  /** A sentence for a person. */
  readonly detail: string;
}

export type ActionOutcome<Name extends ActionName> =
  | { readonly ok: ActionOutput<Name> }
  | { readonly problem: ActionProblem };

/** Carries one action; never rejects. */
export type ActionCarrier = <Name extends ActionName>(
  name: Name,
  input: ActionInput<Name>,
) => Promise<ActionOutcome<Name>>;

const unreadable: ActionProblem = {
  code: "unreadable",
  detail: "Echotop's answer to this action cannot be read.",
};
const unreachable: ActionProblem = { code: "unreachable", detail: "Echotop cannot be reached." };

function parseOutput<Name extends ActionName>(name: Name, output: unknown): ActionOutcome<Name> {
  const { success, data } = actions[name].output.safeParse(output);
  // The schema of `name` parsed the data; the compiler cannot follow the lookup.
  return success ? { ok: data as ActionOutput<Name> } : { problem: unreadable };
}

const BridgeOutcome = z.union([
  z.object({ ok: z.unknown() }).refine((outcome) => "ok" in outcome),
  z.object({ problem: Problem }),
]);

export function createDesktopCarrier(bridge: DesktopBridge): ActionCarrier {
  return async (name, input) => {
    // The compiler would ask for the intersection of all inputs.
    const act = bridge.actions[name] as (input: unknown) => Promise<unknown>;
    const outcome = BridgeOutcome.safeParse(await act(input).catch(() => undefined));
    if (!outcome.success) return { problem: unreadable };
    return "problem" in outcome.data ? outcome.data : parseOutput(name, outcome.data.ok);
  };
}

export interface BrowserCarrierOptions {
  readonly fetch: typeof fetch;
  readonly findToken: () => string | undefined;
}

/** Sends nothing without a token. */
export function createBrowserCarrier({ fetch, findToken }: BrowserCarrierOptions): ActionCarrier {
  return async (name, input) => {
    const token = findToken();
    if (token === undefined) return { problem: { code: "refused", detail: "This page is read-only." } };
    let response: Response;
    let text: string;
    try {
      response = await fetch(actionPathPrefix + name, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(input),
        cache: "no-store",
      });
      text = await response.text();
    } catch {
      return { problem: unreachable };
    }
    const body = parseJson(text);
    return response.ok ? parseOutput(name, body) : { problem: toProblem(response.status, body) };
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No schema accepts `undefined`.
    return undefined;
  }
}

const codes: Readonly<Record<number, ActionProblemCode>> = {
  400: "invalid-input",
  401: "refused",
  403: "refused",
  404: "not-found",
  409: "conflict",
  412: "steps-changed",
  422: "source-invalid",
  502: "upstream-unavailable",
  507: "storage-failed",
};

function toProblem(status: number, body: unknown): ActionProblem {
  const { data } = ErrorBody.safeParse(body);
  return { code: codes[status] ?? "unexpected", detail: data?.message ?? unreadable.detail };
}
