// The directory in use: read from its file at the start and whenever the file changes, the last good state kept when a new
// one cannot be used.
import { open, stat } from "node:fs/promises";
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import type { Log } from "../../../platform/effects.ts";
import type { DirectoryState } from "./crawler-verdict.ts";
import { MAX_DIRECTORY_BYTES, parseDirectoryFile } from "./directory-file.ts";
import { compileDirectory, emptyDirectory, type Directory } from "./directory.ts";
import { followFile } from "./follow-file.ts";

export interface DirectorySource {
  readonly current: () => Directory;
  readonly state: () => DirectoryState;
  /** Idempotent; waits for a reading under way. */
  readonly close: () => Promise<void>;
}

export interface DirectorySourceOptions {
  /** Absolute. */
  readonly file: string;
  readonly now: () => Date;
  readonly log: Log;
  /** Another directory is in use from now on. */
  readonly onChange: () => void;
}

/** Crawlers' addresses come and go: older lists are still used, and said to be old. */
export const STALE_AFTER_MS = 7 * 86_400_000;

/** Resolves after the first reading; never rejects: without a file nobody is known. */
export async function openDirectorySource(options: DirectorySourceOptions): Promise<DirectorySource> {
  const { file, now, log, onChange } = options;
  let directory = emptyDirectory;
  let text: string | undefined;
  let problem: string | undefined;
  const isStale = (): boolean => {
    const { updatedAt } = directory;
    return updatedAt !== undefined && Math.abs(now().getTime() - Date.parse(updatedAt)) > STALE_AFTER_MS;
  };

  const read = async (): Promise<void> => {
    try {
      const found = await readBounded(file);
      if (found !== text || problem !== undefined) {
        directory = await compileDirectory(parseDirectoryFile(found));
        text = found;
        sayWhatIsIn(directory, { isStale: isStale(), log });
        onChange();
      }
      problem = undefined;
    } catch (error) {
      const said = isAppError(error) ? error.detail : "The list of crawlers cannot be read.";
      if (said !== problem) log("warn", said, { file, inUse: directory.crawlers.length, error });
      problem = said;
    }
  };

  const following = followFile(file, read);
  await following.check();
  return {
    current: () => directory,
    state: () => ({
      updatedAt: directory.updatedAt,
      crawlers: directory.crawlers.length,
      isStale: isStale(),
      problem,
    }),
    close: () => following.close(),
  };
}

/** @throws AppError `source-invalid` with a sentence; what the system throws else */
async function readBounded(file: string): Promise<string> {
  // Looked at before it is opened: opening a pipe would wait for whoever writes into it.
  const stats = await stat(file).catch((cause: unknown) => {
    throw new AppError("source-invalid", "The list of crawlers is not there, or cannot be read.", { cause });
  });
  if (!stats.isFile()) throw new AppError("source-invalid", "The list of crawlers is no file.");
  if (stats.size > MAX_DIRECTORY_BYTES) {
    throw new AppError("source-invalid", "The list of crawlers is larger than any such list.");
  }
  const handle = await open(file);
  try {
    const bytes = Buffer.alloc(MAX_DIRECTORY_BYTES > stats.size ? stats.size + 1 : MAX_DIRECTORY_BYTES);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.byteLength; length += read) {
      ({ bytesRead: read } = await handle.read(bytes, length, bytes.byteLength - length, null));
    }
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length));
  } catch (cause) {
    if (cause instanceof TypeError)
      throw new AppError("source-invalid", "The list of crawlers is not UTF-8.", { cause });
    throw cause;
  } finally {
    await handle.close();
  }
}

function sayWhatIsIn(
  { crawlers, updatedAt, ignoredNames }: Directory,
  { isStale, log }: { readonly isStale: boolean; readonly log: Log },
): void {
  log("info", "The list of known crawlers was read.", { crawlers: crawlers.length, updatedAt });
  if (isStale)
    log("warn", "The list of known crawlers is not of these days; it is used as it is.", { updatedAt });
  if (ignoredNames.length > 0) {
    log("warn", "The list of crawlers has names that only robots.txt uses; nobody is known by them.", {
      ignoredNames,
    });
  }
}
