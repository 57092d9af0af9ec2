// Opens files of a repository that may come from elsewhere: never a link, a pipe or a device, which would lead out of it or never
// end.
import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { ObjectFault } from "./object-fault.ts";

// Where the system does not know one of them (Windows), it is undefined, and adds nothing.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Undefined where there is no such file. @throws ObjectFault for anything but a regular file */
export async function findFile(file: string): Promise<FileHandle | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(file, flags);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === "ELOOP") throw new ObjectFault("Its object is kept in a link.");
    throw error;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new ObjectFault("Its object is kept in something that is no file.");
}
