// Which sources each part was last built from, remembered beside the bundles, so that building again is skipped while
// nothing has changed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { replaceFileSync } from "../platform/disk/replace-file.ts";
import { type Part, type PartName, partNames, stampPath } from "./parts.ts";
import { hashSources } from "./source-hash.ts";

/** Part name to the hash of its sources, as `hashSources` makes it. */
const Stamp = z.partialRecord(z.enum(partNames), z.string());
type Stamp = z.infer<typeof Stamp>;

export interface Freshness {
  readonly isFresh: boolean;
  /** Of the sources as they are now. */
  readonly sourceHash: string;
}

export function checkFreshness(root: string, part: Part): Freshness {
  const sourceHash = hashSources(root, part.sources);
  const isComplete = part.outputs.every((path) => existsSync(join(root, path)));
  return { isFresh: isComplete && loadStamp(root)[part.name] === sourceHash, sourceHash };
}

/** Only the holder of the build lock may call this. */
export function rememberBuild(root: string, name: PartName, sourceHash: string): void {
  const path = join(root, stampPath);
  replaceFileSync(path, `${JSON.stringify({ ...loadStamp(root), [name]: sourceHash }, undefined, 2)}\n`);
}

/** A stamp that is missing or cannot be read says that nothing is built. */
function loadStamp(root: string): Stamp {
  const path = join(root, stampPath);
  if (!existsSync(path)) return {};
  try {
    return Stamp.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return {};
    throw error;
  }
}
