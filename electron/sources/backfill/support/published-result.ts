// Reads the result of a fetch or a backfill, to compare two of them.
import type { ReadableStores } from "../../../catalog/stores/located-stores.ts";
import { sha256Of } from "../../../platform/sha256.ts";

const mostRevisions = 1_000;

/** Returns everything that was published and the files' states, without ids and times of the machine. */
export async function readResult(
  { catalog, frames }: Pick<ReadableStores, "catalog" | "frames">,
  eventId: string,
): Promise<unknown> {
  const changes = await catalog.listChanges(eventId, mostRevisions);
  const revisions = await Promise.all(
    changes.map(async ({ revision, change }) => {
      const { revisionId, sequence, observedAt, manifest } = revision;
      const layers = await catalog.listLayers(eventId, revisionId);
      const pictures = await Promise.all(layers.map(({ frameId }) => frames.read(frameId)));
      return {
        ...{ revisionId, sequence, observedAt, change, layers },
        manifest: Buffer.from(manifest)
          .toString()
          .replace(/"generatedAt":"[^"]+"/, ""),
        pictures: pictures.map((picture) => picture && sha256Of(picture)),
      };
    }),
  );
  const assets = await catalog.listAssets(eventId);
  return {
    revisions,
    assets: assets.map((asset) => ({
      ...asset,
      id: undefined,
      completedAt: asset.completedAt !== undefined,
    })),
    event: { ...(await catalog.findEvent(eventId)), updatedAt: undefined },
  };
}
