// Writes loose objects, one file an object (gitrepository-layout: objects/??/). A file is complete and on disk before
// it gets its name, so a crash leaves no partial object. isomorphic-git writes in place and never repairs an existing
// name, so it is not used here.
import { randomUUID } from "node:crypto";
import { lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate, deflateSync } from "node:zlib";
import { writeThenRename } from "../../platform/disk/replace-file.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import { headerOf, oidOf, type ObjectType } from "./object-formats.ts";

const deflateInPool = promisify(deflate);

/** Below this, a trip through the thread pool costs more than the work. */
const smallBytes = 1 << 16;

export interface ObjectWriter {
  /**
   * Writes an object if it is missing and returns its id. It survives a power cut once `sync` has resolved. `deflation`
   * 0 is for bytes that are already compressed.
   */
  write(type: ObjectType, content: Uint8Array, deflation?: 0 | 1): Promise<string>;
  /** Resolves when everything written survives a power cut. */
  sync(): Promise<void>;
}

export function createObjectWriter(gitdir: string): ObjectWriter {
  const made = new Set<string>();
  const touched = new Set<string>();
  return {
    async write(type, content, deflation = 1) {
      const oid = oidOf(type, content);
      const folder = join(gitdir, "objects", oid.slice(0, 2));
      const file = join(folder, oid.slice(2));
      // An earlier run may have stopped after the rename and before the folder was synced.
      touched.add(folder);
      if (await isFile(file)) return oid;
      if (!made.has(folder)) {
        await mkdir(folder, { recursive: true });
        touched.add(join(gitdir, "objects"));
        made.add(folder);
      }
      // Git treats files of this name as leftovers and removes them in time.
      const staged = join(folder, `tmp_obj_${randomUUID()}`);
      await writeThenRename(file, await deflated(type, content, deflation), { staged });
      return oid;
    },
    async sync() {
      await Promise.all([...touched].map((folder) => syncFolder(folder)));
      touched.clear();
    },
  };
}

async function deflated(type: ObjectType, content: Uint8Array, level: 0 | 1): Promise<Buffer> {
  const whole = Buffer.concat([headerOf(type, content.byteLength), content]);
  return whole.length <= smallBytes ? deflateSync(whole, { level }) : deflateInPool(whole, { level });
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isFile();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}
