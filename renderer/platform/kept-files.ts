// Files that the page keeps over a visit, in the browser's private folder on the disk. Where the browser has none, or
// no room is left, nothing is kept.

export interface KeptFiles {
  /** Returns undefined if the file is not there. */
  load(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Returns true if the file is kept. */
  save(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean>;
  remove(name: string): Promise<void>;
}

export function createKeptFiles(folderName: string): KeptFiles {
  const openFolder = async (): Promise<FileSystemDirectoryHandle> => {
    const root = await navigator.storage.getDirectory();
    return root.getDirectoryHandle(folderName, { create: true });
  };
  return {
    load: async (name) => {
      try {
        const handle = await (await openFolder()).getFileHandle(name);
        return new Uint8Array(await (await handle.getFile()).arrayBuffer());
      } catch {
        return undefined;
      }
    },
    save: async (name, bytes) => {
      try {
        const handle = await (await openFolder()).getFileHandle(name, { create: true });
        const stream = await handle.createWritable();
        await stream.write(bytes);
        await stream.close();
        return true;
      } catch {
        return false;
      }
    },
    remove: async (name) => {
      try {
        await (await openFolder()).removeEntry(name);
      } catch {
        // It is not there, or there is no such folder.
      }
    },
  };
}
