// The original files that revisions were made from, where they were kept. The source store checks the bytes.
import { AppError } from "../../../../shared/app-error.ts";
import type { CatalogReader, WorkReader } from "../../../catalog/catalog.ts";
import { readSourceNames, toSourceName } from "../../../catalog/stores/source-names.ts";
import type { SourceStore } from "../../../catalog/files/source-store.ts";
import { createAnswer, strongEtag } from "../../http/answer.ts";
import type { Handler } from "../request-input.ts";

/** Reads without holding answers: files are large and rarely read. */
export type SourcesCatalog = Pick<CatalogReader, "findEvent"> & Pick<WorkReader, "listLayers" | "listAssets">;

export function createSources(
  catalog: SourcesCatalog,
  sources: Pick<SourceStore, "read"> | undefined,
): Handler<"getSource"> {
  return async ({ eventId, revisionId, productId }) => {
    const event = await catalog.findEvent(eventId);
    const layers = event ? await catalog.listLayers(eventId, revisionId) : [];
    const layer = layers.find((one) => one.productId === productId);
    if (!event || !layer) throw new AppError("not-found", "There is no published layer here.");
    const { sourceSha256: sha256 } = layer;
    const bytes = sha256 === undefined ? undefined : await sources?.read(sha256);
    if (sha256 === undefined || !bytes) throw new AppError("not-found", "This source file was not kept.");
    const name = toSourceName(layer, sha256, await readSourceNames(catalog, event));
    return createAnswer({
      body: bytes,
      type: "application/octet-stream",
      etag: strongEtag(sha256),
      headers: { "content-disposition": `attachment; filename="${name}"` },
    });
  };
}
