// Discovery: reads every file's header and records every file in the catalog, in order of observation. Unusable files
// are recorded and reported as failed.
import type { ProductId } from "../../../shared/contract/primitives.ts";
import { findProductByFileName } from "../../../shared/products/registry.ts";
import type { AssetDraft, CatalogWriter } from "../../catalog/catalog.ts";
import { toInstant } from "../../catalog/plans/instants.ts";
import { peekLimit } from "./ingest-limits.ts";
import { notALayer } from "../raster/mrms-parameters.ts";
import { findStemInName, findTimeInName, type Candidate } from "./candidate.ts";
import type { SourceFile } from "./find-sources.ts";
import { mapLimited } from "../../platform/locks/limit.ts";
import type { Reporter } from "./ingest-report.ts";
import { toFailureLine, toSourceError } from "./source-error.ts";
import { peekSource, type PeekedSource } from "./source-file.ts";

export interface DiscoverOptions {
  readonly eventId: string;
  readonly catalog: CatalogWriter;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

/** The result of reading a file's header. */
interface Look {
  readonly source: SourceFile;
  readonly peeked: PeekedSource | undefined;
  readonly error: Error | undefined;
}

/** Records all files, reports the unusable ones and returns the others. */
export async function discover(
  files: readonly SourceFile[],
  { eventId, catalog, reporter, signal }: DiscoverOptions,
): Promise<Candidate[]> {
  const looks = await mapLimited(files, peekLimit, (source) => {
    signal.throwIfAborted();
    return look(source);
  });
  const ordered = looks.toSorted((a, b) => placeOf(a) - placeOf(b));
  const ids = await catalog.discoverAssets(ordered.map((each) => toAsset(eventId, each)));
  const candidates: Candidate[] = [];
  for (const [index, { source, peeked, error }] of ordered.entries()) {
    const assetId = ids[index]!;
    if (peeked?.product && !error) {
      const { product, header, lastModifiedAt, workBytes } = peeked;
      candidates.push({
        ...source,
        assetId,
        productId: product.id,
        observedAt: header.referenceAt,
        lastModifiedAt,
        workBytes,
      });
      continue;
    }
    const line = toFailureLine(source.name, error);
    await catalog.updateAsset(assetId, { status: "failed", errorMessage: line });
    reporter.report({
      file: source.file,
      product: productOf(source, peeked) ?? null,
      observedAt: peeked?.header.referenceAt ?? null,
      status: "failed",
      error: line,
    });
  }
  return candidates;
}

async function look(source: SourceFile): Promise<Look> {
  try {
    const peeked = await peekSource(source.path);
    const error = peeked.product ? undefined : notALayer(peeked.header.identity, findStemInName(source.name));
    return { source, peeked, error };
  } catch (error) {
    return { source, peeked: undefined, error: toSourceError(error) };
  }
}

/** Returns the observation time in milliseconds; without a readable header, that in the name, else 0. */
function placeOf({ source, peeked }: Look): number {
  return peeked ? Date.parse(peeked.header.referenceAt) : (findTimeInName(source.name) ?? 0);
}

/** Returns the product in the header; without a readable header, that in the name. */
function productOf(source: SourceFile, peeked: PeekedSource | undefined): ProductId | undefined {
  return peeked ? peeked.product?.id : findProductByFileName(source.name)?.id;
}

function toAsset(eventId: string, { source, peeked }: Look): AssetDraft {
  return {
    eventId,
    locator: source.path,
    productId: productOf(source, peeked),
    observedAt: peeked && toInstant(Date.parse(peeked.header.referenceAt)),
    byteLength: peeked?.byteLength,
    sha256: undefined,
    lastModifiedAt: peeked?.lastModifiedAt,
  };
}
