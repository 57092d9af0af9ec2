// The file system that isomorphic-git writes through when it receives: a file is whole before it has its name, and what holds
// objects or a branch is on disk by then. So a kill or a power cut leaves nothing half that a later run would trust. A pack is
// looked at before it is written: its objects may not inflate beyond all bounds once they are read.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { replaceFile } from "../../../platform/disk/replace-file.ts";
import { fetchedPackfileLimits, PackRefused } from "../../git/packfile-limits.ts";
import { scanPackfile } from "../../git/packfile-scanner.ts";
import { notGit } from "./remote-error.ts";

export interface SoundFiles {
  readonly promises: typeof fs.promises;
  /** The pack that was written since the last call, with its index. */
  takePack(): string | undefined;
}

/** Callers hold the repository's lock. @param maxPackBytes of one pack */
export function createSoundFiles(maxPackBytes: number): SoundFiles {
  let objectCount = 0;
  let written: string | undefined;
  const writeFile = async (file: string, content: Uint8Array | string): Promise<void> => {
    const bytes = Buffer.from(content as Uint8Array);
    if (file.endsWith(".pack")) objectCount = await checkPack(bytes, maxPackBytes);
    // What cannot be resolved is left out of the index without a word.
    if (file.endsWith(".idx") && bytes.readUInt32BE(lastFanoutAt) !== objectCount) {
      throw notGit("its pack needs objects that it does not have, or is damaged");
    }
    // A tag that is lost is fetched again.
    if (file.endsWith(".idx")) written = file.replace(/idx$/, "pack");
    await replaceFile(file, bytes, { mode: 0o666, isDurable: !file.includes("/refs/tags/") });
  };
  return {
    promises: { ...fs.promises, writeFile: writeFile as typeof fs.promises.writeFile },
    takePack() {
      const file = written;
      written = undefined;
      return file;
    },
  };
}

/** In an index of version 2: how many objects there are. */
const lastFanoutAt = 8 + 255 * 4;

/** The count of objects. */
async function checkPack(pack: Buffer, maxPackBytes: number): Promise<number> {
  try {
    let byteLength = 0;
    for await (const piece of scanPackfile(piecesOf(pack), fetchedPackfileLimits(maxPackBytes)))
      byteLength += piece.length;
    const end = pack.length - 20;
    const isWhole = createHash("sha1").update(pack.subarray(0, end)).digest().equals(pack.subarray(end));
    if (byteLength !== pack.length || !isWhole) throw new PackRefused("pack is damaged");
    return pack.readUInt32BE(8);
  } catch (error) {
    if (error instanceof PackRefused) throw notGit(`its ${error.message}`, error);
    throw error;
  }
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  // The scanner reads a stream.
  await Promise.resolve();
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const pieceBytes = 2 ** 16;
