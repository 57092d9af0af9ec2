// The file system that isomorphic-git writes through during a fetch. A file is complete before it gets its name, and
// files with objects or a branch are synced first, so a kill or power cut leaves no partial file. A packfile is scanned
// before it is written, so that its objects stay within bounds when inflated.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { replaceFile } from "../../../platform/disk/replace-file.ts";
import { fetchedPackfileLimits, PackRefused } from "../../git/packfile-limits.ts";
import { scanPackfile } from "../../git/packfile-scanner.ts";
import { notGit } from "./remote-error.ts";

/** The caller holds the repository's lock. */
export function createSoundFiles(maxPackBytes: number) {
  let objectCount = 0;
  let written: string | undefined;
  const writeFile = async (file: string, content: Uint8Array | string): Promise<void> => {
    const bytes = Buffer.from(content as Uint8Array);
    if (file.endsWith(".pack")) objectCount = await checkPack(bytes, maxPackBytes);
    // isomorphic-git silently leaves objects that it cannot resolve out of the index.
    if (file.endsWith(".idx") && bytes.readUInt32BE(lastFanoutAt) !== objectCount) {
      throw notGit("its pack needs objects that it does not have, or is damaged");
    }
    if (file.endsWith(".idx")) written = file.replace(/idx$/, "pack");
    // A lost tag is fetched again, so it is not synced.
    await replaceFile(file, bytes, { mode: 0o666, isDurable: !file.includes("/refs/tags/") });
  };
  return {
    promises: { ...fs.promises, writeFile: writeFile as typeof fs.promises.writeFile },
    /** Returns the packfile written with its index since the last call. */
    takePack(): string | undefined {
      const file = written;
      written = undefined;
      return file;
    },
  };
}

/** Offset of the object count in an index of version 2. */
const lastFanoutAt = 8 + 255 * 4;

/** Returns the number of objects. @throws AppError `upstream-unavailable` for a damaged or oversized packfile */
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
  // The scanner reads an asynchronous stream.
  await Promise.resolve();
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const pieceBytes = 2 ** 16;
