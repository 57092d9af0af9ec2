// Loose objects, one file an object (gitrepository-layout: objects/??/). A file is whole and on disk before it has its name, so
// a crash leaves no half object that a later run would take for the whole one. That is why they are not written by a library:
// the one there is writes in place, and what it finds under a name it never writes again.
import { randomUUID } from "node:crypto";
import { lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflate, deflateSync, inflate, inflateSync } from "node:zlib";
import { writeThenRename } from "../../platform/disk/replace-file.ts";
import { syncFolder } from "../../platform/disk/sync-folder.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { ObjectFault } from "./object-fault.ts";
import { findFile } from "./open-object-file.ts";
import { headerOf, objectTypes, oidOf, type ObjectType } from "./object-formats.ts";

const deflateInPool = promisify(deflate);
const inflateInPool = promisify(inflate);

/** Below this, a trip through the thread pool costs more than the work. */
const smallBytes = 1 << 16;
const smallDeflatedBytes = 1 << 12;

export interface ObjectWriter {
  /**
   * Writes an object and gives its id; one that is there already stays as it is. Its name is on disk for sure once `sync`
   * has resolved. `deflation` 0 is for bytes that are deflated already.
   */
  write(type: ObjectType, content: Uint8Array, deflation?: 0 | 1): Promise<string>;
  /** Resolves when all that was written survives a power cut. */
  sync(): Promise<void>;
}

export function createObjectWriter(gitdir: string): ObjectWriter {
  const folders = new Set<string>();
  const touched = new Set<string>();
  return {
    async write(type, content, deflation = 1) {
      const oid = oidOf(type, content);
      const folder = join(gitdir, "objects", oid.slice(0, 2));
      const file = join(folder, oid.slice(2));
      // A run before may have been cut off after the name and before the folder was on disk.
      touched.add(folder);
      if (await isThere(file)) return oid;
      if (!folders.has(folder)) {
        await mkdir(folder, { recursive: true });
        touched.add(join(gitdir, "objects"));
        folders.add(folder);
      }
      // Git recognizes such a name as a leftover and removes it in time.
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

async function isThere(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isFile();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}

export interface RawObject {
  readonly type: ObjectType;
  readonly content: Buffer;
}

/**
 * An object's file, inflated to at most `maxBytes`; undefined where there is none. Its id is not checked here.
 * @throws ObjectFault
 */
export async function readLooseObject(
  gitdir: string,
  oid: string,
  maxBytes: number,
): Promise<RawObject | undefined> {
  const bytes = await readBounded(join(gitdir, "objects", oid.slice(0, 2), oid.slice(2)), maxBytes);
  if (!bytes) return undefined;
  const object = unwrap(await inflateBounded(bytes, maxBytes, longestHeader));
  if (object.content.length > maxBytes) throw tooLarge(maxBytes);
  return object;
}

/** `commit`, a space, the digits of a length, a zero byte. */
const longestHeader = 32;

async function readBounded(file: string, maxBytes: number): Promise<Buffer | undefined> {
  const handle = await findFile(file);
  if (!handle) return undefined;
  try {
    const stats = await handle.stat();
    if (stats.size > mostDeflated(maxBytes)) throw tooLarge(maxBytes);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** No sound writer makes more of so many bytes: stored blocks cost 5 bytes each (RFC 1951, 3.2.4). */
export function mostDeflated(byteLength: number): number {
  return byteLength + Math.ceil(byteLength / 1000) * 5 + 1024;
}

export function tooLarge(maxBytes: number): ObjectFault {
  return new ObjectFault(`It is larger than the ${maxBytes} bytes that are taken.`);
}

/** @throws ObjectFault for bytes that cannot be inflated, or to more than `maxBytes` and a header of so many */
export async function inflateBounded(bytes: Uint8Array, maxBytes: number, headerBytes = 0): Promise<Buffer> {
  const maxOutputLength = maxBytes + headerBytes;
  const options = { maxOutputLength, chunkSize: Math.min(Math.max(maxOutputLength, 64), 1 << 18) };
  try {
    return bytes.length <= smallDeflatedBytes
      ? inflateSync(bytes, options)
      : await inflateInPool(bytes, options);
  } catch (error) {
    const code = systemCode(error) ?? "";
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(maxBytes);
    if (code.startsWith("Z_")) throw new ObjectFault("Its object cannot be inflated.");
    throw error;
  }
}

function unwrap(bytes: Buffer): RawObject {
  const end = bytes.subarray(0, longestHeader).indexOf(0);
  const header = /^([a-z]+) (\d+)$/.exec(bytes.toString("latin1", 0, Math.max(end, 0)));
  const type = objectTypes.find((known) => known === header?.[1]);
  const content = bytes.subarray(end + 1);
  if (!type || Number(header?.[2]) !== content.length) throw new ObjectFault("Its object is damaged.");
  return { type, content };
}
