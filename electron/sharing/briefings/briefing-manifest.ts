// What a publication leaves beside its pages: which files are its own, from what the stills were made, and when. The next
// publication reads it, to leave alone what is the same and to remove what is gone, and nothing else.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { EventId, Instant, Sequence, productIds } from "../../../shared/contract/primitives.ts";
import { replaceFile } from "../../platform/disk/replace-file.ts";
import { FrameFacts } from "./frames/frame-facts.ts";

export const manifestName = ".briefing.json";

const products = productIds.join("|");
/** Paths from the event's folder, as we lay them: nothing else is ever written or removed. */
const ownPath = new RegExp(`^(?:index\\.html|r/[1-9]\\d{0,14}/(?:index\\.html|(?:${products})\\.png))$`);

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const OwnFile = z.object({
  path: z.string().regex(ownPath),
  sha256: Sha256,
  /** Of a still: the hash of all that it was made from, and what its frame says in numbers. */
  still: z.object({ inputs: Sha256, facts: FrameFacts.nullable() }).exactOptional(),
});
export type OwnFile = z.infer<typeof OwnFile>;

export const BriefingManifest = z.object({
  schemaVersion: z.literal(1),
  eventId: EventId,
  label: z.string(),
  baseUrl: z.string().nullable(),
  /** The event's newest sequence when it was published. */
  latestSequence: Sequence,
  sequences: z.array(Sequence).min(1),
  firstObservedAt: Instant,
  lastObservedAt: Instant,
  files: z.array(OwnFile),
});
export type BriefingManifest = z.infer<typeof BriefingManifest>;

export function isOwnPath(path: string): boolean {
  return ownPath.test(path);
}

/** Undefined where there is none, or one that is not of our making: then nothing is known to be ours. */
export async function findManifest(folder: string): Promise<BriefingManifest | undefined> {
  const text = await readIfThere(join(folder, manifestName));
  if (text === undefined) return undefined;
  try {
    return BriefingManifest.safeParse(JSON.parse(text.toString("utf8"))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export async function writeManifest(folder: string, manifest: BriefingManifest): Promise<void> {
  await replaceFile(join(folder, manifestName), `${JSON.stringify(manifest)}\n`, { mode: 0o644 });
}

export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
