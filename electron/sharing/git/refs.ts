// References of a bare repository: the branch and the tags of a pack. They are read as Git reads them, and written whole:
// each file is on disk before it replaces the one before.
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import { replaceFile } from "../../platform/disk/replace-file.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { oidPattern } from "./object-formats.ts";

/** Of `packed-refs`: some hundred thousand references. */
const mostPackedBytes = 32 << 20;
const mostRefBytes = 4096;
/** Others may read a repository, as one that Git makes. */
export const repositoryMode = { mode: 0o644 } as const;
const refPattern = /^refs(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)+$/;

/** Object id of a reference, undefined where there is none. @throws AppError `source-invalid` for what Git does not write */
export async function readRef(gitdir: string, ref: string): Promise<string | undefined> {
  const text = await readText(join(gitdir, ...ref.split("/")), mostRefBytes, ref);
  if (text === undefined) return (await readPackedRefs(gitdir)).get(ref);
  const oid = text.trim();
  if (!oidPattern.test(oid)) throw damaged(ref);
  return oid;
}

/** What HEAD stands for; undefined where its branch has no commit. @throws AppError `source-invalid` */
export async function readHead(gitdir: string): Promise<string | undefined> {
  const text = (await readText(join(gitdir, "HEAD"), mostRefBytes, "HEAD"))?.trim();
  if (text === undefined || oidPattern.test(text)) return text;
  const ref = /^ref: (.*)$/.exec(text)?.[1];
  if (ref === undefined || !refPattern.test(ref)) throw damaged("HEAD");
  return readRef(gitdir, ref);
}

/** Of `packed-refs` alone: a loose reference of the same name goes before. */
async function readPackedRefs(gitdir: string): Promise<Map<string, string>> {
  const text = (await readText(join(gitdir, "packed-refs"), mostPackedBytes, "packed-refs")) ?? "";
  const refs = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [oid, name, ...others] = line.trimEnd().split(" ");
    if (others.length === 0 && name !== undefined && oidPattern.test(oid!)) refs.set(name, oid!);
  }
  return refs;
}

/**
 * Adds references to `packed-refs`, which holds thousands of them in one file. What Git noted there of others (peeled
 * tags) it finds out again.
 */
export async function writePackedRefs(gitdir: string, added: ReadonlyMap<string, string>): Promise<void> {
  const all = new Map([...(await readPackedRefs(gitdir)), ...added]);
  const lines = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, oid]) => `${oid} ${name}\n`);
  await replaceFile(
    join(gitdir, "packed-refs"),
    `# pack-refs with: sorted \n${lines.join("")}`,
    repositoryMode,
  );
}

export async function writeRef(gitdir: string, ref: string, oid: string): Promise<void> {
  await replaceFile(join(gitdir, ...ref.split("/")), `${oid}\n`, repositoryMode);
}

async function readText(file: string, maxBytes: number, what: string): Promise<string | undefined> {
  try {
    const stats = await lstat(file);
    if (stats.isDirectory()) return undefined;
    if (!stats.isFile() || stats.size > maxBytes) throw damaged(what);
    return await readFile(file, "latin1");
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

function damaged(what: string): AppError {
  return new AppError("source-invalid", `${what}: it is no sound reference of Git.`);
}
