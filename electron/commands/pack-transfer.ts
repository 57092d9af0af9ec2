// `echotop pack push` and `pack fetch`: an event to and from a Git repository elsewhere. A token comes from a file or the
// environment, never as an argument, which every process of this machine could read. The last line is
// `{"event","commit","status"}`.
import { readFile } from "node:fs/promises";
import { AppError, isAppError, messageOf } from "../../shared/app-error.ts";
import { parseRemoteAddress, type RemoteAddress } from "../../shared/packs/pairing-code.ts";
import { fetchPackInto, pushPackFrom } from "../host/jobs/pack-jobs.ts";
import { parseCommand, parseEventId, refusePositionals, requireOption, UsageError } from "./arguments.ts";
import type { Command } from "./command.ts";
import { resolveDataDirectory } from "./data-option.ts";
import { showWork, type WorkDisplay } from "./shown-work.ts";

const tokenVariable = "ECHOTOP_REPO_TOKEN";

export const packPush: Command = async (args, context) => {
  const { values, positionals } = parseCommand(args, {
    data: { type: "string" },
    remote: { type: "string" },
    "token-file": { type: "string" },
  });
  const eventId = parseEventId(requireOne(positionals, "pack push takes the id of an event."));
  const address = parseAddress(requireOption(values.remote, "remote"));
  const token = await readToken(values["token-file"]);
  const run = async ({ line, progress }: WorkDisplay): Promise<number> => {
    const { effects, signal } = context;
    const request = { eventId, address, token, effects, signal, onProgress: progress };
    line(await whereTokensCome(token, () => pushPackFrom(resolveDataDirectory(values.data), request)));
    return 0;
  };
  const whenInterrupted = "What was pushed stays there; the same command goes on from there.";
  return showWork(context, { label: "Pushing", whenInterrupted, run });
};

export const packFetch: Command = async (args, context) => {
  const { values, positionals } = parseCommand(args, {
    data: { type: "string" },
    "token-file": { type: "string" },
  });
  const address = parseAddress(requireOne(positionals, "pack fetch takes the address of a repository."));
  const token = await readToken(values["token-file"]);
  const run = async ({ line, progress }: WorkDisplay): Promise<number> => {
    const { effects, signal } = context;
    const request = { address, token, effects, signal, onProgress: progress };
    line(await whereTokensCome(token, () => fetchPackInto(resolveDataDirectory(values.data), request)));
    return 0;
  };
  const whenInterrupted =
    "What was received is kept, and nothing half of it is shown; the same command goes on.";
  return showWork(context, { label: "Fetching", whenInterrupted, run });
};

function requireOne([first, ...others]: readonly string[], otherwise: string): string {
  if (first === undefined || first === "") throw new UsageError(otherwise);
  refusePositionals(others);
  return first;
}

function parseAddress(text: string): RemoteAddress {
  try {
    return parseRemoteAddress(text);
  } catch (error) {
    if (isAppError(error)) throw new UsageError(error.detail);
    throw error;
  }
}

/** Where the service asks for a token and none was given, says how to give one. */
async function whereTokensCome<Value>(token: string | undefined, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (token !== undefined || !isAppError(error) || error.context.status !== 401) throw error;
    const sentence = `The repository needs a token: give it by --token-file FILE or by ${tokenVariable}.`;
    throw new AppError("invalid-input", sentence, { cause: error });
  }
}

const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "it may not be read by you",
  EPERM: "it may not be read by you",
};

/** Undefined where none is given. A file goes before the environment. */
async function readToken(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) {
    const token = process.env[tokenVariable]?.trim();
    return token === "" ? undefined : token;
  }
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const reason = fileFaults[(error as NodeJS.ErrnoException).code ?? ""] ?? messageOf(error);
    throw new UsageError(`--token-file cannot be read: ${reason}.`);
  }
  const token = text.trim();
  if (token === "") throw new UsageError("--token-file is an empty file.");
  return token;
}
