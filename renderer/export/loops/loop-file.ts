// The file of a loop while it is written: in the browser's private folder on the disk, so that memory stays flat. It is
// there whole, or not at all.
import { AppError } from "../../../shared/app-error.ts";
import type { FilePart } from "./animation/animation-messages.ts";

const folderName = "loops";
/** Age after which the copy of a saved loop is removed: its download has long ended. */
const keptMs = 3_600_000;

export interface LoopFile {
  /** Bytes up to the end of the file. */
  readonly byteLength: () => number;
  readonly write: (part: FilePart) => Promise<void>;
  /** Returns the whole file, still on the disk. */
  readonly finish: () => Promise<File>;
  /** Leaves nothing behind. */
  readonly discard: () => Promise<void>;
}

/** Returns true if the page may keep files; pages without HTTPS from another machine may not. */
export function canKeepFiles(): boolean {
  return typeof FileSystemFileHandle !== "undefined" && "storage" in navigator;
}

/** @throws AppError if the disk is full */
export async function createLoopFile(nowMs: number): Promise<LoopFile> {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(folderName, { create: true });
  await removeOld(folder, nowMs);
  const name = crypto.randomUUID();
  const handle = await folder.getFileHandle(name, { create: true });
  const stream = await handle.createWritable();
  let byteLength = 0;
  return {
    byteLength: () => byteLength,
    write: async ({ position, data }) => {
      await stream.write({ type: "write", position, data }).catch(rethrow);
      byteLength = Math.max(byteLength, position + data.length);
    },
    finish: async () => {
      await stream.close().catch(rethrow);
      return await handle.getFile();
    },
    discard: async () => {
      await stream.abort().catch(() => undefined);
      await folder.removeEntry(name).catch(() => undefined);
    },
  };
}

/** A loop that another page writes is locked, and stays. */
async function removeOld(folder: FileSystemDirectoryHandle, nowMs: number): Promise<void> {
  for await (const [name, handle] of folder.entries()) {
    if (!(handle instanceof FileSystemFileHandle)) continue;
    const { lastModified } = await handle.getFile();
    if (nowMs - lastModified > keptMs) await folder.removeEntry(name).catch(() => undefined);
  }
}

function rethrow(cause: unknown): never {
  if (cause instanceof DOMException && cause.name === "QuotaExceededError")
    throw new AppError("storage-failed", "The disk is full. Free some space, or save a smaller loop.", {
      cause,
    });
  throw new AppError("storage-failed", "The browser cannot write the file. Check its disk, then try again.", {
    cause,
  });
}
