// Reads the file of known crawlers at the start and after each change. If it becomes invalid, the last valid version
// stays in use.
import { open, stat } from "node:fs/promises";
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import type { CrawlerDirectory } from "../../../../shared/contract/briefings.ts";
import type { Log } from "../../../platform/effects.ts";
import { crawlerLimits } from "../gateway-limits.ts";
import { parseDirectoryFile, tooLarge } from "./directory-file.ts";
import { compileDirectory, emptyDirectory, type Directory } from "./directory.ts";
import { followFile } from "./follow-file.ts";

export interface DirectorySource {
  readonly current: () => Directory;
  readonly state: () => CrawlerDirectory;
  /** Idempotent; waits for a read in progress. */
  readonly close: () => Promise<void>;
}

export interface DirectorySourceOptions {
  /** Absolute. */
  readonly file: string;
  readonly now: () => Date;
  readonly log: Log;
  /** Called when another directory is in use. */
  readonly onChange: () => void;
}

/** Resolves after the first read. Never rejects: without a file, no crawler is known. */
export async function openDirectorySource(options: DirectorySourceOptions): Promise<DirectorySource> {
  const { file, now, log, onChange } = options;
  let directory = emptyDirectory;
  let text: string | undefined;
  let problem: string | undefined;
  const isStale = (): boolean => {
    const { updatedAt } = directory;
    if (updatedAt === undefined) return false;
    return Math.abs(now().getTime() - Date.parse(updatedAt)) > crawlerLimits.staleAfterMs;
  };

  const read = async (): Promise<void> => {
    try {
      const found = await readBounded(file);
      if (found !== text || problem !== undefined) {
        directory = await compileDirectory(parseDirectoryFile(found));
        text = found;
        logContent(directory, { isStale: isStale(), log });
        onChange();
      }
      problem = undefined;
    } catch (error) {
      const reported = isAppError(error) ? error.detail : "The list of crawlers cannot be read.";
      if (reported !== problem) log("warn", reported, { file, inUse: directory.crawlers.length, error });
      problem = reported;
    }
  };

  const following = followFile(file, read);
  await following.check();
  return {
    current: () => directory,
    state: () => ({
      updatedAt: directory.updatedAt ?? null,
      crawlers: directory.crawlers.length,
      isStale: isStale(),
      problem: problem ?? null,
    }),
    close: () => following.close(),
  };
}

/** @throws AppError `source-invalid` with a sentence; other system errors */
async function readBounded(file: string): Promise<string> {
  // Checked before opening: opening a pipe would wait for a writer.
  const stats = await stat(file).catch((cause: unknown) => {
    throw new AppError("source-invalid", "The list of crawlers does not exist or cannot be read.", { cause });
  });
  if (!stats.isFile()) throw new AppError("source-invalid", "The list of crawlers is not a file.");
  const { directoryBytes } = crawlerLimits;
  if (stats.size > directoryBytes) throw tooLarge();
  const handle = await open(file);
  try {
    const bytes = Buffer.alloc(Math.min(stats.size + 1, directoryBytes));
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

function logContent(
  { crawlers, updatedAt, ignoredNames }: Directory,
  { isStale, log }: { readonly isStale: boolean; readonly log: Log },
): void {
  log("info", "The list of known crawlers was read.", { crawlers: crawlers.length, updatedAt });
  if (isStale) {
    log("warn", "The list of known crawlers is not from the last seven days; it is still used.", {
      updatedAt,
    });
  }
  if (ignoredNames.length > 0) {
    log("warn", "The list of crawlers has names that only robots.txt uses; they are ignored.", {
      ignoredNames,
    });
  }
}
