// Finds the files that would change nothing, without drawing them.
import type { CatalogWriter } from "../../catalog/catalog.ts";
import { compareCandidates, type Candidate } from "./candidate.ts";
import { mapLimited } from "../../platform/locks/limit.ts";
import type { RenderPool } from "./render-pool.ts";
import type { IdentifiedSource } from "./render-task.ts";
import type { Reporter } from "./ingest-report.ts";
import { isAbort } from "./source-error.ts";

export interface SettleOptions {
  readonly eventId: string;
  readonly catalog: CatalogWriter;
  readonly pool: RenderPool;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

/**
 * Completes and reports the files that change nothing, and returns the others. Such a file has the newest published
 * message of its product and time, comes before one that has, or has the bytes that it was last completed with.
 */
export async function settleKnown(
  candidates: readonly Candidate[],
  { eventId, catalog, pool, reporter, signal }: SettleOptions,
): Promise<Candidate[]> {
  const slots = Map.groupBy(
    candidates.toSorted(compareCandidates),
    ({ productId, observedAt }) => `${productId} ${observedAt}`,
  );
  const open = await mapLimited([...slots.values()], pool.size + 1, async (files) => {
    const { productId, observedAt } = files[0]!;
    const published = await catalog.findPublishedMessage(eventId, productId, observedAt);
    if (!published) return files;
    const identified = await Promise.all(files.map((file) => identify(file, pool, signal)));
    const newest = identified.findLastIndex((each) => each?.messageSha256 === published.messageSha256);
    const rest: Candidate[] = [];
    for (const [index, file] of files.entries()) {
      const bytes = identified[index];
      if (index > newest && !(bytes && (await catalog.isRepeated(file.assetId, bytes)))) {
        rest.push(file);
        continue;
      }
      const { sha256, byteLength, lastModifiedAt } = bytes ?? {};
      await catalog.updateAsset(file.assetId, { status: "complete", sha256, byteLength, lastModifiedAt });
      reporter.report({ file: file.file, product: productId, observedAt, status: "unchanged" });
    }
    return rest;
  });
  return open.flat();
}

/** Returns undefined for a file that cannot be read or unpacked: drawing it reports why. */
async function identify(
  { path, workBytes }: Candidate,
  pool: RenderPool,
  signal: AbortSignal,
): Promise<IdentifiedSource | undefined> {
  try {
    return await pool.identify(path, { workBytes, signal });
  } catch (error) {
    if (isAbort(error) || signal.aborted) throw error;
    return undefined;
  }
}
