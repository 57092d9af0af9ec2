// Keeping the files that revisions are made of, so that a frame can be made again.
import { copyFile, link, rm } from "node:fs/promises";
import type { SourceStore } from "../../catalog/files/source-store.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import type { Workshop } from "./stage-assets.ts";

/**
 * The staged file stays where it is: a publication that fails is tried again with it. Keeping the same file again changes
 * nothing.
 */
export function createKeepSource(store: SourceStore): Workshop["keepSource"] {
  return async (path, sha256) => {
    if ((await store.find(sha256)) !== undefined) return;
    const second = `${path}.kept`;
    try {
      await secondName(path, second);
      await store.put(second);
    } catch (error) {
      await rm(second, { force: true });
      throw error;
    }
  };
}

/** A second name for the same bytes; a copy of them where the disk has no such thing. */
async function secondName(path: string, second: string): Promise<void> {
  try {
    await link(path, second);
  } catch (error) {
    if (systemCode(error) === undefined || systemCode(error) === "ENOENT") throw error;
    await copyFile(path, second);
  }
}
