// Verifies the kept source files. They are a means of repair and no promise: what is wrong with them is a note.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { DataDirectory } from "../files/data-directory.ts";
import type { Findings, Steps } from "./findings.ts";
import { prepare } from "../queries.ts";
import { systemCode, toStorageError } from "../../platform/disk/storage-error.ts";
import { listNames } from "./verify-frames.ts";

const sourceFile = /^([0-9a-f]{64})\.grib2(?:\.gz)?$/;

/** `isUsed` is undefined where the catalog cannot tell. Returns how many files there are. */
export async function verifySources(
  { sourcesFolder }: DataDirectory,
  isUsed: ((sha256: string) => boolean) | undefined,
  findings: Findings,
  steps: Steps,
): Promise<number> {
  let count = 0;
  for (const prefix of await listNames(sourcesFolder, "sources", findings)) {
    if (!/^[0-9a-f]{2}$/.test(prefix)) {
      findings.note(`sources/${prefix}`, "It is no folder of source files.");
      continue;
    }
    const folder = join(sourcesFolder, prefix);
    const names = await listNames(folder, `sources/${prefix}`, findings);
    steps.expect(names.length);
    for (const name of names) {
      const what = await describe({ folder, prefix, name }, isUsed);
      if (what !== undefined) findings.note(`sources/${prefix}/${name}`, what);
      count += 1;
      await steps.step();
    }
  }
  return count;
}

/** Which source files revisions were made of. */
export function createIsUsed(database: DatabaseSync): (sha256: string) => boolean {
  const use = prepare(database, "SELECT 1 FROM revision_layers WHERE source_sha256 = ? LIMIT 1");
  return (sha256) => use.first(sha256) !== undefined;
}

interface SourceFile {
  readonly folder: string;
  readonly prefix: string;
  readonly name: string;
}

/** What is to be said about a file; undefined when it is as it should be. */
async function describe(
  { folder, prefix, name }: SourceFile,
  isUsed: ((sha256: string) => boolean) | undefined,
): Promise<string | undefined> {
  const sha256 = sourceFile.exec(name)?.[1];
  if (sha256?.startsWith(prefix) !== true) return "It is no source file: its name is not that of one.";
  const damage = await findDamage(join(folder, name), sha256);
  if (isUsed?.(sha256) !== false) return damage;
  return `No revision was made of it${damage === undefined ? "" : "; it is damaged, too"}.`;
}

async function findDamage(path: string, sha256: string): Promise<string | undefined> {
  try {
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    if (hash.digest("hex") === sha256) return undefined;
    return "Its bytes do not match its name, so no frame can be made of it again.";
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    const known = toStorageError(error, "It cannot be read");
    if (known === error || !(known instanceof Error)) throw error;
    return known.message;
  }
}
