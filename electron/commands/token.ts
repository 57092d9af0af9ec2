// `echotop token create|list|revoke`: the platform tokens of the control plane; JSON lines. A running host knows of what
// was done here at its next request.
import { isAppError } from "../../shared/app-error.ts";
import { platformPermissions, usePlatformTokens } from "../host/jobs/token-jobs.ts";
import { parseChoice, parseCommand, refusePositionals, requireOption, UsageError } from "./arguments.ts";
import type { Command } from "./command.ts";
import { resolveDataDirectory } from "./data-option.ts";
import { writeJsonLine, writeNote } from "./output.ts";

const data = { type: "string" } as const;

export const token: Command = async ([action, ...args], context) => {
  switch (action) {
    case "create":
      return create(args, context);
    case "list":
      return list(args, context);
    case "revoke":
      return revoke(args, context);
    default:
      throw new UsageError("token takes create, list or revoke.");
  }
};

const create: Command = async (args, { effects }) => {
  const { values, positionals } = parseCommand(args, {
    data,
    permission: { type: "string" },
    name: { type: "string" },
    "expires-in": { type: "string" },
  });
  refusePositionals(positionals);
  const permission = requireOption(values.permission, "permission");
  const draft = {
    permission: parseChoice(permission, "permission", platformPermissions),
    name: values.name,
    expiresInSeconds: values["expires-in"] === undefined ? undefined : parseSeconds(values["expires-in"]),
  };
  try {
    const place = { dataDirectory: resolveDataDirectory(values.data), file: "make" } as const;
    const made = await usePlatformTokens(place, effects, (tokens) => tokens.create(draft));
    const { id, plaintext, expiresAt } = made;
    writeJsonLine({ id, plaintext, permission: made.permission, expires_at: expiresAt });
    writeNote("The token is shown this once: keep it now. What is stored of it does not give it back.");
    return 0;
  } catch (error) {
    if (isAppError(error, "invalid-input")) throw new UsageError(error.detail);
    throw error;
  }
};

const list: Command = async (args, { effects }) => {
  const { values, positionals } = parseCommand(args, { data });
  refusePositionals(positionals);
  const place = { dataDirectory: resolveDataDirectory(values.data), file: "existing" } as const;
  for (const known of await usePlatformTokens(place, effects, (tokens) => tokens.list())) {
    const { id, name, permission, state, createdAt, expiresAt } = known;
    writeJsonLine({ id, name, permission, state, created_at: createdAt, expires_at: expiresAt });
  }
  return 0;
};

const revoke: Command = async (args, { effects }) => {
  const { values, positionals } = parseCommand(args, { data });
  const [id, ...more] = positionals;
  if (id === undefined) throw new UsageError("token revoke takes the id of a token.");
  refusePositionals(more);
  const place = { dataDirectory: resolveDataDirectory(values.data), file: "existing" } as const;
  if (!(await usePlatformTokens(place, effects, (tokens) => tokens.revoke(id)))) {
    writeNote(`echotop: no token that is not revoked has the id "${id}".`);
    return 1;
  }
  writeJsonLine({ id, state: "revoked" });
  return 0;
};

function parseSeconds(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new UsageError(`--expires-in takes a whole number of seconds, not "${text}".`);
}
