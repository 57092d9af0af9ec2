// Why a source file could not be used, as an AppError that crosses threads, and as the line that people read of it.
import { AppError, errorCodes, isAppError, messageOf, type ErrorCode } from "../../../shared/app-error.ts";

/** An AppError as it travels between threads. */
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
  EISDIR: "A file is expected, but it is a folder.",
  ELOOP: "It cannot be read: a link leads back to itself.",
  ENAMETOOLONG: "There is no such file: its name is too long.",
  EIO: "It cannot be read: the disk reported an error.",
  EMFILE: "It cannot be read: too many files are open.",
  ENFILE: "It cannot be read: too many files are open.",
};

/** What went wrong with a file's own bytes, or with getting at them: always `source-invalid`, unless an abort passes through. */
export function toSourceError(error: unknown): Error {
  if (isAppError(error) || isAbort(error)) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = readReasons[code];
  if (reason !== undefined) return new AppError("source-invalid", reason, { cause: error });
  // Nobody foresaw it, so its own words are for the log: they may hold anything.
  return new AppError("source-invalid", "It could not be decoded, for a reason that was not foreseen.", {
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
  // What cannot be cloned must not keep the rest from arriving.
  const context: unknown = isAppError(known) ? JSON.parse(JSON.stringify(known.context)) : {};
  return { code, detail: known.message, context: context as Readonly<Record<string, unknown>> };
}

export function fromPortable({ code, detail, context }: PortableError): AppError {
  return new AppError(errorCodes.includes(code) ? code : "source-invalid", detail, { context });
}

/** One line that names the file, without its folder, and what is wrong with it. */
export function toFailureLine(name: string, error: unknown): string {
  return `${name}: ${messageOf(toSourceError(error)).replaceAll(/\s+/g, " ")}`;
}
