// Why a pack is refused: the path in it that is at fault, and a sentence. The path comes from whoever made the pack.
import { AppError } from "../../../shared/app-error.ts";
import { ObjectFault } from "../git/object-formats.ts";

const mostShown = 160;

/** The path as a person may read it: nothing in it steers a terminal or hides what it is, and it ends somewhere. */
export function showPath(path: string): string {
  const text = path.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return text.length <= mostShown ? text : `${text.slice(0, mostShown)}…`;
}

/** `why` is a sentence. */
export function refusal(path: string, why: string, cause?: unknown): AppError {
  return new AppError("source-invalid", `${showPath(path)}: ${why}`, { cause });
}

/** Runs `read`, and says of which path it is that an object is at fault. @throws AppError `source-invalid` */
export async function at<Result>(path: string, read: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ObjectFault)) throw error;
    throw refusal(path, error.message, error);
  }
}
