// Copies the frames of revisions, and the source files from which they could be drawn again, a few at a time. Skips
// bytes that the target has.
import { isAppError } from "../../../shared/app-error.ts";
import { mapLimited } from "../../platform/locks/limit.ts";
import type { BlobKind } from "../objects/object-keys.ts";
import type { PlannedRevision } from "../plans/next-revision.ts";
import type { StoredRevision } from "../rows/stored-rows.ts";
import type { CopySource, CopyTarget } from "./copied-places.ts";
import { toWritable } from "./stored-revision.ts";

/** Blobs that are read and stored at once. */
const blobsAtOnce = 4;

export interface CopiedBytes {
  frames: number;
  sources: number;
  byteLength: number;
}

export interface CopyBytesOptions {
  readonly from: CopySource;
  readonly to: CopyTarget;
  readonly signal: AbortSignal | undefined;
}

/** Damage of the source that keeps a revision from being copied. */
export interface RevisionFault {
  readonly sequence: number;
  /** One sentence. */
  readonly what: string;
}

export interface ReadyRevisions {
  /** Revisions whose bytes the target has. Those that retention has removed meanwhile are left out. */
  readonly revisions: readonly PlannedRevision[];
  /** The first revision that cannot be copied; `revisions` ends before it. */
  readonly fault: RevisionFault | undefined;
}

/** Adds to `copied`. @throws AppError of the stores; the signal's reason */
export async function copyBytes(
  wanted: readonly StoredRevision[],
  copied: CopiedBytes,
  options: CopyBytesOptions,
): Promise<ReadyRevisions> {
  const layers = wanted.flatMap((revision) => revision.layers);
  const missing = await copyKind("frames", new Set(layers.map(({ frame_id }) => frame_id)), copied, options);
  const sources = layers.flatMap(({ source_sha256 }) => (source_sha256 === null ? [] : [source_sha256]));
  // Source files only serve repairs: a revision may do without.
  await copyKind("sources", new Set(sources), copied, options);
  const revisions: PlannedRevision[] = [];
  for (const revision of wanted) {
    const what = findFault(revision, missing);
    if (what === undefined) revisions.push(toWritable(revision));
    else if (await isStillThere(revision, options.from)) {
      return { revisions, fault: { sequence: revision.row.sequence, what } };
    }
  }
  return { revisions, fault: undefined };
}

/** Returns the hashes that cannot be read, with the reason. */
async function copyKind(
  kind: BlobKind,
  sha256s: ReadonlySet<string>,
  copied: CopiedBytes,
  { from, to, signal }: CopyBytesOptions,
): Promise<ReadonlyMap<string, string>> {
  const stored = await to.findStored(kind, [...sha256s]);
  const unreadable = new Map<string, string>();
  const wanted = [...sha256s].filter((sha256) => !stored.has(sha256));
  await mapLimited(wanted, blobsAtOnce, async (sha256) => {
    signal?.throwIfAborted();
    const bytes = await readBytes(from, kind, sha256);
    if (typeof bytes === "string") {
      unreadable.set(sha256, bytes);
      return;
    }
    await to.put(kind, bytes);
    copied[kind] += 1;
    copied.byteLength += bytes.byteLength;
  });
  return unreadable;
}

/** Returns what is wrong if there are no valid bytes. */
async function readBytes(from: CopySource, kind: BlobKind, sha256: string): Promise<Uint8Array | string> {
  try {
    return (await from.read(kind, sha256)) ?? `${sha256} is missing.`;
  } catch (error) {
    if (!isAppError(error, "stored-data-invalid")) throw error;
    return `${sha256} is damaged.`;
  }
}

function findFault(revision: StoredRevision, missing: ReadonlyMap<string, string>): string | undefined {
  for (const { frame_id } of revision.layers) {
    const what = missing.get(frame_id);
    if (what !== undefined) return `Its frame ${what}`;
  }
  try {
    toWritable(revision);
    return undefined;
  } catch (error) {
    if (!isAppError(error, "stored-data-invalid")) throw error;
    return error.detail;
  }
}

async function isStillThere({ row }: StoredRevision, { rows }: CopySource): Promise<boolean> {
  const [found] = await rows.listRevisions(row.event_id, row.sequence - 1, 1);
  return found?.row.sequence === row.sequence;
}
