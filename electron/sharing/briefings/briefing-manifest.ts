// The record that a publication leaves next to its pages: its files, the inputs of its stills, and its revisions. The
// next publication reads it to keep what is unchanged and to remove only its own files.
import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { EventId, Instant, Sequence, productIds } from "../../../shared/contract/primitives.ts";
import { replaceFile } from "../../platform/disk/replace-file.ts";
import { findFile } from "./folder-access.ts";
import { FrameFacts } from "../stills/frames/still-facts.ts";

export const manifestName = ".briefing.json";
/** Everybody may read what is published. */
export const pageMode = 0o644;

const products = productIds.join("|");
/** Paths below the event's folder; no other path is ever written or removed. */
const ownPath = new RegExp(`^(?:index\\.html|r/[1-9]\\d{0,14}/(?:index\\.html|(?:${products})\\.png))$`);

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const OwnFile = z.object({
  path: z.string().regex(ownPath),
  sha256: Sha256,
  /** The hash of all inputs of a still, and the numbers of its frame. */
  still: z.object({ inputs: Sha256, facts: FrameFacts.nullable() }).exactOptional(),
});
export type OwnFile = z.infer<typeof OwnFile>;

export const BriefingManifest = z.object({
  schemaVersion: z.literal(1),
  eventId: EventId,
  label: z.string(),
  baseUrl: z.string().nullable(),
  /** The event's newest sequence at the time of publication. */
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

/** Returns undefined for a missing or foreign manifest: then no file is known to be ours. */
export async function findManifest(folder: string): Promise<BriefingManifest | undefined> {
  const text = await findFile(join(folder, manifestName));
  if (text === undefined) return undefined;
  try {
    return BriefingManifest.safeParse(JSON.parse(text.toString("utf8"))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export async function writeManifest(folder: string, manifest: BriefingManifest): Promise<void> {
  await replaceFile(join(folder, manifestName), `${JSON.stringify(manifest)}\n`, { mode: pageMode });
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
