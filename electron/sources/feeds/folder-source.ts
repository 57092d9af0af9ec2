// A watched folder as a source: files that appear by rename or by slow copy, also in subfolders. A whole file is used
// at once, and compared once more after the quiet time; any other file is used after the quiet time or later. The
// system's file watching only makes a feed poll sooner.
import { createHash } from "node:crypto";
import { watch, type FSWatcher, type Stats } from "node:fs";
import { copyFile, readdir, readFile, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import { toInstant } from "../../catalog/plans/instants.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { createLimit, mapLimited } from "../../platform/locks/limit.ts";
import { MAX_MESSAGE_BYTES } from "../../pipeline/grib2/sections.ts";
import {
  folderLooksAtOnce,
  folderPollMs,
  folderReadsAtOnce,
  incompleteMs,
  longSettledMs,
  maxFolderDepth,
  settleMs as defaultSettleMs,
} from "./feed-limits.ts";
import type {
  Downloaded,
  DownloadOptions,
  FeedSource,
  Listing,
  ListingProblem,
  SourceAsset,
  TimeRange,
} from "./feed-source.ts";
import { looksLikeMrms, parseMrmsName, type MrmsName } from "./mrms-name.ts";
import { wholenessOf, type Wholeness } from "./whole-message.ts";

export interface FolderOptions {
  /** Absolute. */
  readonly directory: string;
  readonly now: () => Date;
  /** Quiet time: how long a file that is not whole must not change before it is used. */
  readonly settleMs?: number | undefined;
}

export function createFolderSource(options: FolderOptions): FeedSource {
  return new FolderSource(options);
}

/** A file as it was last seen. */
interface Sight {
  readonly stamp: string;
  readonly sinceMs: number;
  /** Undefined until the file has been read. */
  content: Content | undefined;
  /** Number of changes that left the stamp as it was. */
  rewrites: number;
}

interface Content {
  readonly wholeness: Wholeness;
  /** Undefined once the content was compared after the quiet time, or was first read after it. */
  readonly sha256: string | undefined;
}

/** `early`: usable before the quiet time is over. */
type Readiness = "growing" | "partial" | "early" | "usable";

class FolderSource implements FeedSource {
  readonly name: string;
  readonly #directory: string;
  readonly #now: () => Date;
  readonly #settleMs: number;
  readonly #reading = createLimit(folderReadsAtOnce);
  #seen = new Map<string, Sight>();
  #onChange: (() => void) | undefined;
  #watcher: FSWatcher | undefined;
  /** False once the system has refused to watch this folder. */
  #canWatch = true;
  /** Notification fails silently on network drives, and listing a folder is cheap. */
  readonly mostPauseMs = folderPollMs;

  constructor({ directory, now, settleMs = defaultSettleMs }: FolderOptions) {
    this.name = `folder:${basename(directory)}`;
    this.#directory = directory;
    this.#now = now;
    this.#settleMs = settleMs;
  }

  async list({ fromMs, toMs }: TimeRange, signal: AbortSignal): Promise<Listing> {
    const assets: SourceAsset[] = [];
    const strange: ListingProblem[] = [];
    const { files, unreadable } = await this.#findFiles();
    this.#tryToWatch();
    const named: { readonly path: string; readonly said: MrmsName }[] = [];
    let newestBefore: MrmsName | undefined;
    for (const path of files) {
      const said = parseMrmsName(basename(path));
      if (!said) {
        if (!looksLikeMrms(basename(path))) strange.push(this.#toProblem(path, "Not an MRMS file name."));
        continue;
      }
      const observedMs = Date.parse(said.observedAt);
      if (observedMs >= fromMs && observedMs <= toMs) named.push({ path, said });
      const knownMs = newestBefore === undefined ? -Infinity : Date.parse(newestBefore.observedAt);
      if (observedMs < fromMs && observedMs > knownMs) newestBefore = said;
    }
    const seen = new Map<string, Sight>();
    let unsettled = 0;
    await mapLimited(named, folderLooksAtOnce, async ({ path, said }) => {
      signal.throwIfAborted();
      try {
        const stats = await stat(path);
        if (!stats.isFile()) return;
        const sight = this.#see(path, stats);
        seen.set(path, sight);
        const readiness = await this.#judge(path, sight, stats);
        if (readiness === "growing" || readiness === "early") unsettled += 1;
        if (readiness === "early" || readiness === "usable")
          assets.push({ ...toAsset(path, stats, sight), ...said });
      } catch (error) {
        if (!isGone(error)) unreadable.push(this.#toProblem(path, "This file cannot be read."));
      }
    });
    this.#seen = seen;
    assets.sort((a, b) => Date.parse(b.observedAt) - Date.parse(a.observedAt));
    const lookAgainInMs = unsettled > 0 ? this.#settleMs : undefined;
    return { assets, strange, failures: [], unreadable, lookAgainInMs, newestBefore };
  }

  async download({ locator, byteLength, etag }: SourceAsset, { file }: DownloadOptions): Promise<Downloaded> {
    try {
      await copyFile(locator, file);
      const [bytes, stats] = await Promise.all([readFile(file), stat(locator)]);
      if (bytes.byteLength !== byteLength || this.#etagOf(locator, stats) !== etag) {
        throw new AppError("source-invalid", "File changed while it was read.");
      }
      return { byteLength, sha256: createHash("sha256").update(bytes).digest("hex") };
    } catch (error) {
      if (systemCode(error) === "ENOENT") {
        throw new AppError("source-invalid", "File no longer exists.", { cause: error });
      }
      throw error;
    }
  }

  toSourceUrl(): undefined {
    return undefined;
  }

  watch(onChange: () => void): () => void {
    this.#onChange = onChange;
    this.#tryToWatch();
    return () => {
      this.#onChange = undefined;
      this.#stopWatching();
    };
  }

  /** Starts watching, again if the folder was missing or replaced. A folder that cannot be watched is still polled. */
  #tryToWatch(): void {
    if (this.#onChange === undefined || this.#watcher !== undefined || !this.#canWatch) return;
    try {
      const watcher = watch(this.#directory, { recursive: true, persistent: false });
      this.#watcher = watcher;
      watcher.on("change", () => this.#onChange?.());
      watcher.on("error", () => {
        this.#canWatch = false;
        this.#stopWatching();
      });
    } catch (error) {
      if (!isGone(error)) this.#canWatch = false;
    }
  }

  #stopWatching(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  /**
   * Finds files named like GRIB2. Skips hidden names, which copying programs use first, and subfolders that cannot be
   * read.
   */
  async #findFiles(): Promise<{ files: string[]; unreadable: ListingProblem[] }> {
    const files: string[] = [];
    const unreadable: ListingProblem[] = [];
    const visit = async (folder: string, depth: number): Promise<void> => {
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        if (entry.name.startsWith(".")) continue;
        const path = join(folder, entry.name);
        if (!entry.isDirectory()) {
          if (/\.(?:grib2|grb2)(?:\.gz)?$/i.test(entry.name)) files.push(path);
        } else if (depth < maxFolderDepth) {
          try {
            await visit(path, depth + 1);
          } catch (error) {
            if (!isGone(error)) unreadable.push(this.#toProblem(path, "This folder cannot be read."));
          }
        }
      }
    };
    try {
      await visit(this.#directory, 0);
    } catch (error) {
      // Another folder of this name needs another watcher.
      this.#stopWatching();
      this.#canWatch = true;
      const why = isGone(error) ? "does not exist" : "cannot be read";
      throw new AppError("upstream-unavailable", `The folder ${why}.`, { cause: error });
    }
    return { files, unreadable };
  }

  #toProblem(path: string, message: string): ListingProblem {
    return { what: relative(this.#directory, path), message };
  }

  #see(path: string, stats: Stats): Sight {
    const known = this.#seen.get(path);
    const stamp = toStamp(stats);
    const nowMs = this.#now().getTime();
    // A file must not wait because the clock was set back.
    if (known?.stamp === stamp && known.sinceMs <= nowMs) return known;
    return { stamp, sinceMs: nowMs, content: undefined, rewrites: known?.rewrites ?? 0 };
  }

  async #judge(path: string, sight: Sight, { mtimeMs, size }: Stats): Promise<Readiness> {
    const nowMs = this.#now().getTime();
    const unchangedMs = nowMs - sight.sinceMs;
    const isSettled = unchangedMs >= this.#settleMs || nowMs - mtimeMs >= longSettledMs;
    // Too large to read; the download reports it.
    if (size > MAX_MESSAGE_BYTES) return isSettled ? "usable" : "growing";
    if (sight.content === undefined || (isSettled && sight.content.sha256 !== undefined)) {
      const content = await this.#reading(() => readContent(path, sight));
      if (content === undefined) return "growing";
      // The file system's clock may be too coarse to show a second change.
      if (sight.content !== undefined && sight.content.sha256 !== content.sha256) sight.rewrites += 1;
      sight.content = isSettled ? { ...content, sha256: undefined } : content;
    }
    const { wholeness } = sight.content;
    if (!isSettled) return wholeness === "whole" ? "early" : "growing";
    return wholeness === "partial" && unchangedMs < incompleteMs ? "partial" : "usable";
  }

  /** Returns text that changes with the file, as far as it was seen. */
  #etagOf(path: string, stats: Stats): string {
    return toEtag(toStamp(stats), this.#seen.get(path)?.rewrites ?? 0);
  }
}

/** Returns undefined if the file no longer has the stamp: it is being written. @throws errors of the disk */
async function readContent(path: string, { stamp, content }: Sight): Promise<Content | undefined> {
  const bytes = await readFile(path);
  if (toStamp(await stat(path)) !== stamp) return undefined;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  // The same bytes need not be unpacked again.
  return content?.sha256 === sha256 ? content : { wholeness: wholenessOf(bytes), sha256 };
}

/** Returns text that changes whenever the file is written or replaced. */
function toStamp({ size, mtimeMs, ino }: Stats): string {
  return `${size}-${mtimeMs}-${ino}`;
}

function toEtag(stamp: string, rewrites: number): string {
  return rewrites === 0 ? stamp : `${stamp}-${rewrites}`;
}

function toAsset(
  path: string,
  stats: Stats,
  { stamp, rewrites }: Sight,
): Omit<SourceAsset, "productId" | "observedAt"> {
  return {
    locator: path,
    name: basename(path),
    byteLength: stats.size,
    etag: toEtag(stamp, rewrites),
    lastModifiedAt: toInstant(Math.floor(stats.mtimeMs)),
  };
}

/** Returns true if the file or folder does not exist. @throws errors other than the disk's */
function isGone(error: unknown): boolean {
  const code = systemCode(error);
  if (code === undefined) throw error;
  return code === "ENOENT" || code === "ENOTDIR";
}
