// Opens and inflates files of an untrusted repository: never a link, pipe or device, never more bytes than the caller
// allows.
import { constants } from "node:fs";
import { open, readdir, type FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { inflate, inflateSync } from "node:zlib";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { ObjectFault, type ObjectType } from "./object-formats.ts";

export interface RawObject {
  readonly type: ObjectType;
  readonly content: Buffer;
}

// A flag that the system does not know (Windows) is undefined and adds nothing.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Returns undefined if the file does not exist. @throws ObjectFault if it is not a regular file */
export async function findFile(file: string): Promise<FileHandle | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(file, flags);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === "ELOOP") throw new ObjectFault("Its file is a symbolic link.");
    throw error;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new ObjectFault("Its file is not a regular file.");
}

/** Lists a folder; returns no names if it does not exist. */
export async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

export function tooLarge(maxBytes: number): ObjectFault {
  return new ObjectFault(`It is larger than the limit of ${maxBytes} bytes.`);
}

/** Returns the longest valid zlib stream for so many bytes: stored blocks cost 5 bytes each (RFC 1951, 3.2.4). */
export function mostDeflated(byteLength: number): number {
  return byteLength + Math.ceil(byteLength / 1000) * 5 + 1024;
}

const inflateInPool = promisify(inflate);
/** Below this, a trip through the thread pool costs more than the work. */
const smallDeflatedBytes = 1 << 12;

/** @throws ObjectFault if the bytes cannot be inflated, or inflate to more than `maxBytes` plus `headerBytes` */
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
