// Reads objects of a repository one at a time, loose or packed. Each is bounded before it is inflated and checked
// against its id. Nothing outside the repository is read: no alternates, no links, no other Git.
import { join } from "node:path";
import { findFile, inflateBounded, mostDeflated, tooLarge, type RawObject } from "./object-files.ts";
import { ObjectFault, objectTypes, oidOf, oidPattern, type ObjectType } from "./object-formats.ts";
import { createPackfileReader } from "./packfile-reader.ts";

export interface ObjectReader {
  /**
   * Returns the object's content. @throws ObjectFault if it is missing, damaged, of another type, or larger than
   * `maxBytes`
   */
  read(oid: string, type: ObjectType, maxBytes: number): Promise<Buffer>;
  /** Idempotent. */
  close(): Promise<void>;
}

export function createObjectReader(gitdir: string): ObjectReader {
  const packfiles = createPackfileReader(gitdir);
  return {
    async read(oid, type, maxBytes) {
      if (!oidPattern.test(oid)) throw new ObjectFault("Its id is not an object id.");
      const object = (await packfiles.read(oid, maxBytes)) ?? (await readLooseObject(gitdir, oid, maxBytes));
      if (!object) throw new ObjectFault("It is missing from the object store.");
      if (object.type !== type) throw new ObjectFault(`It is a ${object.type}; a ${type} is expected.`);
      if (oidOf(type, object.content) !== oid) throw new ObjectFault("Its bytes do not match its object id.");
      return object.content;
    },
    close: () => packfiles.close(),
  };
}

/** `commit`, a space, the digits of a length, a zero byte. */
const longestHeader = 32;

async function readLooseObject(
  gitdir: string,
  oid: string,
  maxBytes: number,
): Promise<RawObject | undefined> {
  const handle = await findFile(join(gitdir, "objects", oid.slice(0, 2), oid.slice(2)));
  if (!handle) return undefined;
  let deflated: Buffer;
  try {
    if ((await handle.stat()).size > mostDeflated(maxBytes)) throw tooLarge(maxBytes);
    deflated = await handle.readFile();
  } finally {
    await handle.close();
  }
  const bytes = await inflateBounded(deflated, maxBytes, longestHeader);
  const end = bytes.subarray(0, longestHeader).indexOf(0);
  const [, typeName, length] = /^([a-z]+) (\d+)$/.exec(bytes.toString("latin1", 0, Math.max(end, 0))) ?? [];
  const type = objectTypes.find((known) => known === typeName);
  const content = bytes.subarray(end + 1);
  if (!type || Number(length) !== content.length) throw new ObjectFault("Its object is damaged.");
  if (content.length > maxBytes) throw tooLarge(maxBytes);
  return { type, content };
}
