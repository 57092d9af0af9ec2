// The errors of source files: as an AppError, in the form that crosses threads, and as the line that people read.
import { AppError, errorCodes, isAppError, messageOf, type ErrorCode } from "../../../shared/app-error.ts";

/** An AppError in a form that can be cloned. */
export interface PortableError {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly context: Readonly<Record<string, unknown>>;
}

const readReasons: Readonly<Record<string, string>> = {
  ENOENT: "There is no such file or folder.",
  ENOTDIR: "There is no such file or folder.",
  EACCES: "It cannot be read: permission was denied.",
  EPERM: "It cannot be read: permission was denied.",
  EISDIR: "It is a folder, not a file.",
  ELOOP: "It cannot be read: a link leads back to itself.",
  ENAMETOOLONG: "There is no such file: its name is too long.",
  EIO: "It cannot be read: the disk reported an error.",
  EMFILE: "It cannot be read: too many files are open.",
  ENFILE: "It cannot be read: too many files are open.",
};

/** Converts an error of reading or decoding to an AppError `source-invalid`; passes AppErrors and aborts through. */
export function toSourceError(error: unknown): Error {
  if (isAppError(error) || isAbort(error)) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = readReasons[code];
  if (reason !== undefined) return new AppError("source-invalid", reason, { cause: error });
  // The message of an unexpected error may hold anything, so it goes to the log only.
  return new AppError("source-invalid", "It could not be decoded because of an unexpected error.", {
    cause: error,
    context: { message: messageOf(error) },
  });
}

export function isAbort(error: unknown): error is Error {
  return error instanceof Error && error.name === "AbortError";
}

export function toPortable(error: unknown): PortableError {
  const known = toSourceError(error);
  const code = isAppError(known) ? known.code : "source-invalid";
  // A value that cannot be cloned must not stop the rest.
  const context: unknown = isAppError(known) ? JSON.parse(JSON.stringify(known.context)) : {};
  return { code, detail: known.message, context: context as Readonly<Record<string, unknown>> };
}

export function fromPortable({ code, detail, context }: PortableError): AppError {
  return new AppError(errorCodes.includes(code) ? code : "source-invalid", detail, { context });
}

/** Returns one line with the name of the file and the sentence of the error. */
export function toFailureLine(name: string, error: unknown): string {
  return `${name}: ${messageOf(toSourceError(error)).replaceAll(/\s+/g, " ")}`;
}
