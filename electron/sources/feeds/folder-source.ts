// A watched folder as a source: files that appear by rename or by slow copy, also in subfolders. A file is used once
// it has stopped changing and holds a whole message. The system's file watching only makes a feed poll sooner.
import { createHash } from "node:crypto";
import { watch, type FSWatcher, type Stats } from "node:fs";
import { copyFile, readdir, readFile, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import { toInstant } from "../../catalog/instants.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { MAX_MESSAGE_BYTES } from "../../pipeline/grib2/sections.ts";
import { incompleteMs, longSettledMs, maxFolderDepth, settleMs as defaultSettleMs } from "./feed-limits.ts";
import type {
  Downloaded,
  DownloadOptions,
  FeedSource,
  Listing,
  ListingProblem,
  SourceAsset,
  TimeRange,
} from "./feed-source.ts";
import { looksLikeMrms, parseMrmsName } from "./mrms-name.ts";
import { findWholeness, type Wholeness } from "./whole-message.ts";

export interface FolderOptions {
  /** Absolute. */
  readonly directory: string;
  readonly now: () => Date;
  /** Time without changes before a file is used. */
  readonly settleMs?: number | undefined;
}

export function createFolderSource(options: FolderOptions): FeedSource {
  return new FolderSource(options);
}

/** A file as it was last seen. */
interface Sight {
  readonly stamp: string;
  readonly sinceMs: number;
  wholeness: Wholeness | undefined;
}

class FolderSource implements FeedSource {
  readonly name: string;
  readonly #directory: string;
  readonly #now: () => Date;
  readonly #settleMs: number;
  #seen = new Map<string, Sight>();

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
    const seen = new Map<string, Sight>();
    let isGrowing = false;
    for (const path of files) {
      signal.throwIfAborted();
      const said = parseMrmsName(basename(path));
      if (!said) {
        if (looksLikeMrms(basename(path))) continue;
        strange.push(this.#toProblem(path, "Not an MRMS file name."));
        continue;
      }
      const observedMs = Date.parse(said.observedAt);
      if (observedMs < fromMs || observedMs > toMs) continue;
      try {
        const stats = await stat(path);
        if (!stats.isFile()) continue;
        const sight = this.#see(path, stats);
        seen.set(path, sight);
        const readiness = await this.#judge(path, sight, stats);
        if (readiness === "growing") isGrowing = true;
        if (readiness === "usable") assets.push({ ...toAsset(path, stats), ...said });
      } catch (error) {
        if (!isGone(error)) unreadable.push(this.#toProblem(path, "This file cannot be read."));
      }
    }
    this.#seen = seen;
    assets.sort((a, b) => Date.parse(b.observedAt) - Date.parse(a.observedAt));
    const lookAgainInMs = isGrowing ? this.#settleMs : undefined;
    return { assets, strange, failures: [], unreadable, lookAgainInMs };
  }

  async download({ locator, byteLength, etag }: SourceAsset, { file }: DownloadOptions): Promise<Downloaded> {
    try {
      await copyFile(locator, file);
      const [bytes, stats] = await Promise.all([readFile(file), stat(locator)]);
      if (bytes.byteLength !== byteLength || toStamp(stats) !== etag) {
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
    let watcher: FSWatcher | undefined;
    try {
      watcher = watch(this.#directory, { recursive: true, persistent: false }, onChange);
      // A folder that cannot be watched is still polled.
      watcher.on("error", () => watcher?.close());
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
    }
    return () => watcher?.close();
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
      const why = isGone(error) ? "does not exist" : "cannot be read";
      throw new AppError("upstream-unavailable", `The watched folder ${why}.`, { cause: error });
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
    return { stamp, sinceMs: nowMs, wholeness: undefined };
  }

  async #judge(
    path: string,
    sight: Sight,
    { mtimeMs, size }: Stats,
  ): Promise<"growing" | "partial" | "usable"> {
    const nowMs = this.#now().getTime();
    const unchangedMs = nowMs - sight.sinceMs;
    if (unchangedMs < this.#settleMs && nowMs - mtimeMs < longSettledMs) return "growing";
    // Too large to read; the download reports it.
    if (size > MAX_MESSAGE_BYTES) return "usable";
    sight.wholeness ??= await findWholeness(path);
    return sight.wholeness === "partial" && unchangedMs < incompleteMs ? "partial" : "usable";
  }
}

/** Returns text that changes whenever the file is written or replaced. */
function toStamp({ size, mtimeMs, ino }: Stats): string {
  return `${size}-${mtimeMs}-${ino}`;
}

function toAsset(path: string, stats: Stats): Omit<SourceAsset, "productId" | "observedAt"> {
  return {
    locator: path,
    name: basename(path),
    byteLength: stats.size,
    etag: toStamp(stats),
    lastModifiedAt: toInstant(Math.floor(stats.mtimeMs)),
  };
}

/** Returns true if the file or folder does not exist. @throws errors other than the disk's */
function isGone(error: unknown): boolean {
  const code = systemCode(error);
  if (code === undefined) throw error;
  return code === "ENOENT" || code === "ENOTDIR";
}
