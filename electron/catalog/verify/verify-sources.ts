// Verifies the stored source files. They only serve repairs, so any problem with them is a note, not a fault.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { DataDirectory } from "../files/data-directory.ts";
import { explainDamage, type Findings, type Steps } from "./findings.ts";
import { systemCode } from "../../platform/disk/storage-error.ts";
import { listNames } from "./verify-frames.ts";

const sourceFile = /^([0-9a-f]{64})\.grib2(?:\.gz)?$/;

/** `isUsed` is undefined if the catalog is unreadable. Returns the number of files. */
export async function verifySources(
  { sourcesFolder }: DataDirectory,
  isUsed: ((sha256: string) => boolean) | undefined,
  findings: Findings,
  steps: Steps,
): Promise<number> {
  let count = 0;
  for (const prefix of await listNames(sourcesFolder, "sources", findings)) {
    if (!/^[0-9a-f]{2}$/.test(prefix)) {
      findings.note(`sources/${prefix}`, "It is not a folder of source files.");
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

interface SourceFile {
  readonly folder: string;
  readonly prefix: string;
  readonly name: string;
}

/** Returns what is notable about a file; undefined if nothing is. */
async function describe(
  { folder, prefix, name }: SourceFile,
  isUsed: ((sha256: string) => boolean) | undefined,
): Promise<string | undefined> {
  const sha256 = sourceFile.exec(name)?.[1];
  if (sha256?.startsWith(prefix) !== true) return "It is not a source file: its name is not a hash.";
  const damage = await findDamage(join(folder, name), sha256);
  if (isUsed?.(sha256) !== false) return damage;
  return `No revision was made from it${damage === undefined ? "" : "; it is also damaged"}.`;
}

async function findDamage(path: string, sha256: string): Promise<string | undefined> {
  try {
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    if (hash.digest("hex") === sha256) return undefined;
    return "Its bytes do not match its name, so it cannot restore a frame.";
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    return explainDamage(error);
  }
}
