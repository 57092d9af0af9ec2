// Malicious packs for tests: the files of a valid pack, changed, in a new repository.
import { join } from "node:path";
import { temporaryDirectory } from "../../../catalog/support/drafts.ts";
import { exportEvent } from "../export-event.ts";
import {
  encodeCommit,
  encodeTree,
  fileMode,
  folderMode,
  parseCommit,
  parseTree,
  type TreeEntry,
} from "../../git/object-formats.ts";
import { createObjectReader } from "../../git/object-reader.ts";
import { createObjectWriter } from "../../git/object-writer.ts";
import { mainRef, writeRef } from "../../git/refs.ts";
import { openForWriting } from "../../git/repository.ts";
import type { TestDesk } from "./sample-event.ts";

export interface ForgedFile {
  readonly mode?: string;
  readonly bytes: Uint8Array;
}

/** Files by path. Each part of a path is a file name, one byte per character. */
export type ForgedFiles = Map<string, ForgedFile>;

/** Reads the files of a valid export of the event "plains". */
export async function readSoundFiles(desk: TestDesk): Promise<ForgedFiles> {
  const directory = join(await temporaryDirectory(), "sound.git");
  const { commit } = await exportEvent({ ...desk, directory, eventId: "plains" });
  const reader = createObjectReader(directory);
  const files: ForgedFiles = new Map();
  const visit = async (oid: string, folder: string): Promise<void> => {
    for (const { mode, name, oid: child } of parseTree(await reader.read(oid, "tree", 1 << 20))) {
      if (mode === folderMode) await visit(child, `${folder}${name}/`);
      else files.set(folder + name, { bytes: await reader.read(child, "blob", 1 << 20) });
    }
  };
  await visit(parseCommit(await reader.read(commit, "commit", 4096)).tree, "");
  await reader.close();
  return files;
}

/** Returns the repository's path. */
export async function forge(files: ForgedFiles): Promise<string> {
  return forgeWith(async (writer) => {
    const writeFolder = async (folder: string): Promise<string> => {
      const inside = [...files].filter(([path]) => path.startsWith(folder));
      const names = new Set(inside.map(([path]) => path.slice(folder.length).split("/")[0]!));
      const entries: TreeEntry[] = [];
      for (const name of names) {
        const file = files.get(folder + name);
        entries.push(
          file
            ? { mode: file.mode ?? fileMode, name, oid: await writer.write("blob", file.bytes) }
            : { mode: folderMode, name, oid: await writeFolder(`${folder}${name}/`) },
        );
      }
      return writer.write("tree", encodeTree(entries));
    };
    return writeFolder("");
  });
}

/** Creates a repository whose newest commit has the tree that `write` gives. */
export async function forgeWith(
  write: (writer: ReturnType<typeof createObjectWriter>) => Promise<string>,
): Promise<string> {
  const gitdir = join(await temporaryDirectory(), "forged.git");
  (await openForWriting(gitdir)).close();
  const writer = createObjectWriter(gitdir);
  const tree = await write(writer);
  const commit = encodeCommit({ tree, parents: [], message: "Forged", atSeconds: 0 });
  await writeRef(gitdir, mainRef, await writer.write("commit", commit));
  return gitdir;
}

/** Changes a JSON file as a value. */
export function changeJson(files: ForgedFiles, path: string, change: (value: never) => unknown): void {
  const value = JSON.parse(Buffer.from(files.get(path)!.bytes).toString("utf8")) as never;
  files.set(path, { bytes: Buffer.from(`${JSON.stringify(change(value), undefined, 2)}\n`) });
}
