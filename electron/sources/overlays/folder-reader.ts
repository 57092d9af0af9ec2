// Watches a folder of overlays: its newest files of a supported form. The system's notices only make it look sooner;
// notices in a burst cause one look, and a folder without notices is looked at now and then.
import { constants, watch, type FSWatcher, type Stats } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../../shared/app-error.ts";
import { overlaySourceLimits, visibleLine, type OverlayFolder } from "../../../shared/contract/overlays.ts";
import { overlayLimits } from "../../../shared/overlays/overlay.ts";
import type { Effects } from "../../platform/effects.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { createBell } from "../fetching/bell.ts";
import { holdFile, toInstantOrNull, type HeldFile } from "./held-files.ts";
import { untouched, type OverlayReader, type SourceState } from "./overlay-source.ts";

export type FolderEffects = Pick<Effects, "now" | "log" | "sleep">;

/** Quiet time after a notice, so that a burst of changes is one look. */
const settleMs = 200;
/** Notices fail silently on network drives, and listing a folder is cheap. */
const mostPauseMs = 15_000;

const supportedForm = /\.(?:txt|placefile|pf|geojson|json|kml|kmz|zip|csv)$/i;

/** A file of the folder with what tells a change of it. */
interface Entry {
  readonly name: string;
  readonly stamp: string;
  readonly modifiedMs: number;
  readonly byteLength: number;
}

interface KnownFile {
  readonly stamp: string;
  readonly file: HeldFile;
}

export function startFolderReader(
  name: string,
  folder: OverlayFolder,
  effects: FolderEffects,
): OverlayReader {
  const { now, log, sleep } = effects;
  const bell = createBell(sleep);
  const stopping = new AbortController();
  const { signal } = stopping;
  const watching = createWatching(folder.path, () => {
    bell.ring();
  });
  let state: SourceState = untouched;
  let known = new Map<string, KnownFile>();
  /** A file is used once two looks in a row have found the same: another program may still write it. */
  let before = new Map<string, string>();

  /** Returns true if a file changes, so that another look is due soon. */
  const look = async (): Promise<boolean> => {
    const entries = await listEntries(folder);
    watching.begin();
    const readAt = now().toISOString();
    const next = new Map<string, KnownFile>();
    const tooLarge = entries.filter(({ byteLength }) => byteLength > overlayLimits.bytes);
    let isChanging = false;
    for (const entry of entries) {
      const present = known.get(entry.name);
      if (tooLarge.includes(entry)) continue;
      if (present?.stamp === entry.stamp)
        next.set(entry.name, { ...present, file: { ...present.file, readAt } });
      else if (before.get(entry.name) === entry.stamp) {
        const file = await readEntry(folder.path, entry, readAt);
        if (file) next.set(entry.name, { stamp: entry.stamp, file });
        else isChanging = true;
      } else {
        isChanging = true;
        // The last whole content stays on the map until the new one is whole.
        if (present) next.set(entry.name, present);
      }
    }
    before = new Map(entries.map((entry) => [entry.name, entry.stamp]));
    known = next;
    const problem = tooLarge[0] ? `${tooLarge[0].name} is larger than 5 MiB and is left out.` : null;
    state = { lastReadAt: readAt, failingSince: null, problem, nextAt: null };
    return isChanging;
  };
  const run = async (): Promise<void> => {
    try {
      for (;;) {
        let isChanging = false;
        try {
          isChanging = await look();
        } catch (error) {
          watching.end();
          known = new Map();
          const problem = toProblem(error);
          if (problem !== state.problem) {
            const why = systemCode(error) ?? messageOf(error);
            log("warn", `The overlay ${name} could not be read: ${problem}`, { why });
          }
          state = { ...state, problem, failingSince: state.failingSince ?? now().toISOString() };
        }
        if (!isChanging) await bell.wait(mostPauseMs, signal);
        await sleep(settleMs, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      watching.end();
    }
  };
  const ended = run();
  return {
    state: () => state,
    files: () => [...known.values()].map(({ file }) => file),
    close: () => {
      stopping.abort();
      return ended;
    },
  };
}

/** Returns false for hidden names, too, and for those that would look like others in a list. */
function isSupported(name: string): boolean {
  return supportedForm.test(name) && !name.startsWith(".") && visibleLine.test(name);
}

/** Lists the newest files of a supported form, newest first. Skips folders and links. */
async function listEntries({ path, newest }: OverlayFolder): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (!entry.isFile() || !isSupported(entry.name)) continue;
    try {
      const stats = await lstat(join(path, entry.name));
      if (!stats.isFile() || stats.size === 0) continue;
      const { size, mtimeMs } = stats;
      entries.push({ name: entry.name, stamp: toStamp(stats), modifiedMs: mtimeMs, byteLength: size });
    } catch (error) {
      // Removed since the listing.
      if (systemCode(error) !== "ENOENT") throw error;
    }
  }
  entries.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.name < b.name ? -1 : 1));
  return entries.slice(0, newest ?? overlaySourceLimits.folderFiles);
}

function toStamp({ size, mtimeMs, ino, dev }: Stats): string {
  return `${size}-${mtimeMs}-${ino}-${dev}`;
}

/** A pipe that took the name of a file would never be opened, and a link would lead out of the folder. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Returns undefined if the file is gone, or is not the one that was listed, also after it was read. */
async function readEntry(folder: string, entry: Entry, readAt: string): Promise<HeldFile | undefined> {
  try {
    await using handle = await open(join(folder, entry.name), flags);
    const isListed = async (): Promise<boolean> => toStamp(await handle.stat()) === entry.stamp;
    if (!(await isListed())) return undefined;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(entry.byteLength));
    if (bytesRead !== entry.byteLength || !(await isListed())) return undefined;
    return holdFile(entry.name, buffer, { readAt, modifiedAt: toInstantOrNull(entry.modifiedMs) });
  } catch (error) {
    if (["ENOENT", "ELOOP", "ENXIO"].includes(systemCode(error) ?? "")) return undefined;
    throw error;
  }
}

function createWatching(path: string, onChange: () => void): { begin(): void; end(): void } {
  let watcher: FSWatcher | undefined;
  let canWatch = true;
  const end = (): void => {
    watcher?.close();
    watcher = undefined;
  };
  return {
    begin() {
      if (watcher || !canWatch) return;
      try {
        watcher = watch(path, { persistent: false }, onChange);
        watcher.on("error", () => {
          canWatch = false;
          end();
        });
      } catch {
        canWatch = false;
      }
    },
    end,
  };
}

function toProblem(error: unknown): string {
  const code = systemCode(error);
  return code === "ENOENT" || code === "ENOTDIR"
    ? "The folder does not exist."
    : "The folder cannot be read.";
}
