// Reads objects of a repository one at a time, each bounded before it is inflated and held against its id. It takes nothing
// from outside the repository: no alternates, no links, no other Git.
import { createPackReader, type PackReader } from "./pack-reader.ts";
import { ObjectFault } from "./object-fault.ts";
import { readLooseObject } from "./loose-objects.ts";
import { oidOf, oidPattern, type ObjectType } from "./object-formats.ts";

export interface ObjectReader {
  /**
   * The content of an object. @throws ObjectFault where it is missing, damaged, of another type, or larger than `maxBytes`
   */
  read(oid: string, type: ObjectType, maxBytes: number): Promise<Buffer>;
  /** Idempotent. */
  close(): Promise<void>;
}

export function createObjectReader(gitdir: string): ObjectReader {
  const packs: PackReader = createPackReader(gitdir);
  return {
    async read(oid, type, maxBytes) {
      if (!oidPattern.test(oid)) throw new ObjectFault("Its id is no object id.");
      const object = (await packs.read(oid, maxBytes)) ?? (await readLooseObject(gitdir, oid, maxBytes));
      if (!object) throw new ObjectFault("It is missing from the object store.");
      if (object.type !== type) throw new ObjectFault(`It is a ${object.type}, where a ${type} is expected.`);
      if (oidOf(type, object.content) !== oid) throw new ObjectFault("Its bytes do not match its object id.");
      return object.content;
    },
    close: () => packs.close(),
  };
}
