// Errors about an untrusted pack: the path in it that is at fault, and a sentence. The path itself is untrusted.
import { AppError } from "../../../shared/app-error.ts";
import { ObjectFault } from "../git/object-formats.ts";

const mostShown = 160;

/** Returns the path for display: control and invisible characters escaped, length limited. */
export function showPath(path: string): string {
  const text = path.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return text.length <= mostShown ? text : `${text.slice(0, mostShown)}…`;
}

/** @param why a sentence */
export function refusal(path: string, why: string, cause?: unknown): AppError {
  return new AppError("source-invalid", `${showPath(path)}: ${why}`, { cause });
}

/** Runs `read` and converts an ObjectFault to a refusal of `path`. @throws AppError `source-invalid` */
export async function atPath<Result>(path: string, read: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ObjectFault)) throw error;
    throw refusal(path, error.message, error);
  }
}
