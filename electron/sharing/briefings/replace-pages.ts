// Puts a publication in place of the one before: files that differ one by one, each whole or not at all, then what is gone.
// Whatever interrupts it, the manifest names every file of ours that may be there, and the next publication completes it.
import { rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { replaceFile } from "../../platform/disk/replace-file.ts";
import { sha256Of } from "./make-stills.ts";
import { readIfThere, writeManifest, type BriefingManifest } from "./briefing-manifest.ts";

export interface Replacement {
  /** The event's folder. */
  readonly folder: string;
  readonly before: BriefingManifest | undefined;
  readonly after: BriefingManifest;
  /** The bytes of a file of `after`; undefined for one that is in its place already. */
  readonly load: (path: string) => Promise<string | Uint8Array | undefined>;
}

export interface ReplacedFiles {
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
}

/** Pages are for everybody. */
export const pageMode = 0o644;

export async function replacePages({ folder, before, after, load }: Replacement): Promise<ReplacedFiles> {
  const kept = new Set(after.files.map(({ path }) => path));
  const gone = (before?.files ?? []).filter(({ path }) => !kept.has(path));
  const changed: string[] = [];
  for (const { path, sha256 } of after.files) {
    const bytes = await readIfThere(join(folder, path));
    if (!bytes || sha256Of(bytes) !== sha256) changed.push(path);
  }
  if (changed.length > 0 || gone.length > 0) {
    await writeManifest(folder, { ...after, files: [...after.files, ...gone] });
  }
  for (const path of changed) {
    const content = await load(path);
    if (content === undefined) throw new Error(`The file ${path} of the briefing was changed meanwhile.`);
    await replaceFile(join(folder, path), content, { mode: pageMode });
  }
  let removed = 0;
  for (const { path } of gone) {
    const isThere = (await readIfThere(join(folder, path))) !== undefined;
    await rm(join(folder, path), { force: true });
    await removeEmpty(dirname(join(folder, path)));
    if (isThere) removed += 1;
  }
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  if (!isSame || changed.length > 0 || gone.length > 0) await writeManifest(folder, after);
  return { written: changed.length, unchanged: after.files.length - changed.length, removed };
}

/** Leaves a folder that somebody has put something into. */
async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "ENOENT") throw error;
  }
}
