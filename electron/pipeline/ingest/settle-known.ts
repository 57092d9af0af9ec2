// Tells files that hold what is published already from those that must be drawn, without drawing them.
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
 * Completes and reports the files whose message is the newest published one of its product and time, and those that come
 * before it among several files of that time: an ingest that is run again goes on where it ended. Returns the others.
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

/** Undefined for a file that cannot be read or unpacked: drawing it will say why. */
async function identify(
  { path }: Candidate,
  pool: RenderPool,
  signal: AbortSignal,
): Promise<IdentifiedSource | undefined> {
  try {
    return await pool.identify(path, { signal });
  } catch (error) {
    if (isAbort(error) || signal.aborted) throw error;
    return undefined;
  }
}
