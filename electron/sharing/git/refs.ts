// References of a bare repository: reads loose and packed ones as Git does, and writes each file completely to disk
// before it replaces the old one.
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import { replaceFile } from "../../platform/disk/replace-file.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { listFolder } from "./object-files.ts";
import { oidPattern } from "./object-formats.ts";

/** The branch of every repository that Echotop creates. */
export const mainRef = "refs/heads/main";
/** Others may read a repository, as one that Git creates. */
export const repositoryMode = { mode: 0o644 } as const;

/** Some hundred thousand packed references. */
const mostPackedBytes = 32 << 20;
const mostRefBytes = 4096;
const refPattern = /^refs(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)+$/;

/** Returns undefined if the reference does not exist. @throws AppError `source-invalid` if it is damaged */
export async function readRef(gitdir: string, ref: string): Promise<string | undefined> {
  const text = await readText(join(gitdir, ...ref.split("/")), mostRefBytes, ref);
  if (text === undefined) return (await readPackedRefs(gitdir)).get(ref);
  const oid = text.trim();
  if (!oidPattern.test(oid)) throw damaged(ref);
  return oid;
}

/** Returns undefined if HEAD's branch has no commit. @throws AppError `source-invalid` */
export async function readHead(gitdir: string): Promise<string | undefined> {
  const text = (await readText(join(gitdir, "HEAD"), mostRefBytes, "HEAD"))?.trim();
  if (text === undefined || oidPattern.test(text)) return text;
  const ref = /^ref: (.*)$/.exec(text)?.[1];
  if (ref === undefined || !refPattern.test(ref)) throw damaged("HEAD");
  return readRef(gitdir, ref);
}

/** Lists the references in a folder such as `refs/tags/rev`; skips damaged ones, which a power cut may leave. */
export async function listRefs(gitdir: string, folder: string): Promise<ReadonlyMap<string, string>> {
  const refs = new Map([...(await readPackedRefs(gitdir))].filter(([ref]) => ref.startsWith(`${folder}/`)));
  for (const name of await listFolder(join(gitdir, ...folder.split("/")))) {
    const ref = `${folder}/${name}`;
    const oid = (await readText(join(gitdir, ...ref.split("/")), mostRefBytes, ref))?.trim();
    if (oid === undefined) continue;
    if (oidPattern.test(oid)) refs.set(ref, oid);
    else refs.delete(ref);
  }
  return refs;
}

/** Reads `packed-refs`; a loose reference of the same name takes precedence. */
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
 * Adds references to `packed-refs`, one file for thousands. Git recomputes what it noted there about annotated tags.
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
  return new AppError("source-invalid", `${what}: It is not a valid Git reference.`);
}
