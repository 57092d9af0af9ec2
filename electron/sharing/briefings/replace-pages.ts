// Replaces one publication with the next, file by file, then removes old files. After any interruption the manifest
// names every file of ours that may exist, and the next publication completes the work.
import { rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { replaceFile } from "../../platform/disk/replace-file.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { pageMode, sha256Of, writeManifest, type BriefingManifest } from "./briefing-manifest.ts";
import type { BriefingResult } from "./briefing.ts";
import { findFile } from "./folder-access.ts";

export interface Replacement {
  /** The event's folder. */
  readonly folder: string;
  readonly before: BriefingManifest | undefined;
  readonly after: BriefingManifest;
  /** Returns the bytes of a file of `after`, or undefined for a file that should be unchanged. */
  readonly load: (path: string) => Promise<string | Uint8Array | undefined>;
}

export type ReplacedFiles = Pick<BriefingResult, "written" | "unchanged" | "removed">;

export async function replacePages({ folder, before, after, load }: Replacement): Promise<ReplacedFiles> {
  const kept = new Set(after.files.map(({ path }) => path));
  const gone = (before?.files ?? []).filter(({ path }) => !kept.has(path));
  const changed: string[] = [];
  for (const { path, sha256 } of after.files) {
    const bytes = await findFile(join(folder, path));
    if (!bytes || sha256Of(bytes) !== sha256) changed.push(path);
  }
  if (changed.length > 0 || gone.length > 0) {
    await writeManifest(folder, { ...after, files: [...after.files, ...gone] });
  }
  for (const path of changed) {
    const content = await load(path);
    if (content === undefined) throw new Error(`The file ${path} changed while the briefing was published.`);
    await replaceFile(join(folder, path), content, { mode: pageMode });
  }
  let removed = 0;
  for (const { path } of gone) {
    if ((await findFile(join(folder, path))) !== undefined) removed += 1;
    await rm(join(folder, path), { force: true });
    await removeEmptyFolder(dirname(join(folder, path)));
  }
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  if (!isSame || changed.length > 0 || gone.length > 0) await writeManifest(folder, after);
  return { written: changed.length, unchanged: after.files.length - changed.length, removed };
}

async function removeEmptyFolder(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(systemCode(error) ?? "")) throw error;
  }
}
