// The token of `pack push` and `pack fetch`: from a file or the environment. Never from the command line, which every
// process of this machine can read.
import { readFile } from "node:fs/promises";
import { AppError, isAppError } from "../../shared/app-error.ts";
import { toFileFault } from "./file-fault.ts";
import { UsageError } from "./option-values.ts";

export const tokenVariable = "ECHOTOP_REPO_TOKEN";

/** Returns the token from the file, else from the environment; undefined if there is none. @throws UsageError */
export async function readPackToken(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) {
    const token = process.env[tokenVariable]?.trim();
    return token === "" ? undefined : token;
  }
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`--token-file cannot be read: ${toFileFault(error)}.`);
  }
  const token = text.trim();
  if (token === "") throw new UsageError("--token-file is an empty file.");
  return token;
}

/** Does the work; if the remote requires a token and none was given, the error says how to give one. */
export async function explainMissingToken<Value>(
  token: string | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (token !== undefined || !isAppError(error) || error.context.status !== 401) throw error;
    const message = `The repository needs a token: pass --token-file FILE or set ${tokenVariable}.`;
    throw new AppError("invalid-input", message, { cause: error });
  }
}
