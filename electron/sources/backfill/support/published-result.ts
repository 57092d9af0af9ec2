// What a fetch or a backfill has made of an event, to compare two of them.
import type { ReadableStores } from "../../../catalog/stores/located-stores.ts";

/** Returns everything that was published and the files' states, without ids and times of the machine. */
export async function readResult(
  { catalog, frames }: Pick<ReadableStores, "catalog" | "frames">,
  eventId: string,
): Promise<unknown> {
  const changes = await catalog.listChanges(eventId, 360);
  const revisions = await Promise.all(
    changes.map(async ({ revision, change }) => {
      const { revisionId, sequence, observedAt, manifest } = revision;
      const layers = await catalog.listLayers(eventId, revisionId);
      const pictures = await Promise.all(layers.map(({ frameId }) => frames.read(frameId)));
      const text = Buffer.from(manifest).toString();
      return {
        ...{ revisionId, sequence, observedAt, change, layers },
        manifest: text.replace(/"publishedAt":"[^"]+"/, ""),
        pictures: pictures.map((picture) => picture && Buffer.from(picture).toString("base64")),
      };
    }),
  );
  const assets = await catalog.listAssets(eventId);
  const event = await catalog.findEvent(eventId);
  return {
    revisions,
    assets: assets.map((asset) => ({
      ...asset,
      id: undefined,
      completedAt: asset.completedAt !== undefined,
    })),
    event: { ...event, updatedAt: undefined },
  };
}
