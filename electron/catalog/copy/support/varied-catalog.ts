// A catalog with everything that a copy must carry, made through the interface, and what readers see of it.
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stepsOf } from "../../../../shared/views/support/example-steps.ts";
import { sha256Of } from "../../../platform/sha256.ts";
import type { AssetRecord, PublishDraft, PublishedLayer } from "../../catalog.ts";
import { openReadableStores, openStores } from "../../stores/open-stores.ts";
import type { Stores, StoresLocation } from "../../stores/located-stores.ts";
import {
  assetOf,
  draftOf,
  findPicture,
  layerOf,
  observedAfter,
  overlayDraftOf,
} from "../../support/drafts.ts";
import { offerOf } from "../../support/offers.ts";
import { openDirectorySource } from "../directory-place.ts";
import { openServicePlace } from "../service-place.ts";

export async function useStores<Result>(
  location: StoresLocation,
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const stores = await openStores(location, { now: () => new Date(), frameCacheByteLimit: 0 });
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}

export async function publish({ catalog, frames }: Stores, draft: PublishDraft): Promise<void> {
  for (const { frameId } of draft.layers) await frames.put(findPicture(frameId)!);
  await catalog.publish(draft);
}

/** Stores a text as a feed stores a download. Returns its SHA-256. */
async function keep({ sources, stagingFolder }: Stores, text: string): Promise<string> {
  await mkdir(stagingFolder, { recursive: true });
  const path = join(stagingFolder, randomUUID());
  await writeFile(path, text);
  return (await sources.put(path)).sha256;
}

/** Publishes `count` windows of both products from kept source files, from a second of the storm on. */
export async function publishWindows(
  stores: Stores,
  id: string,
  { count, fromSeconds = 0 }: { readonly count: number; readonly fromSeconds?: number },
): Promise<void> {
  for (let window = 0; window < count; window += 1) {
    const seconds = fromSeconds + window * 120;
    const sourceSha256 = await keep(stores, `source ${id} ${seconds}`);
    const [mesh, reflectivity] = [
      layerOf({ seconds, message: `${id} mesh ${seconds}` }),
      toSecond(id, seconds),
    ];
    await publish(stores, {
      event: { id, label: `Storm ${id}` },
      layers: [{ ...mesh, sourceSha256 }, reflectivity],
      assetIds: [],
    });
  }
}

function toSecond(id: string, seconds: number): PublishedLayer {
  return layerOf({ productId: "mrms-reflectivity", seconds: seconds + 4, message: `${id} dBZ ${seconds}` });
}

/** Repeats the revisions of an event in a replay. */
async function replay({ catalog }: Stores, of: string, eventId: string, steps: number): Promise<void> {
  for (let after = 0; after < steps; after += 1) {
    const revision = (await catalog.findRevisionAfter(of, after))!;
    await catalog.republish({ eventId, after, of: revision });
  }
}

/** Own events with corrections, a replay, a mirrored, an archived, a registered and a pruned one; assets and a log. */
export async function fillVaried(stores: Stores, windows: number): Promise<void> {
  const { catalog, frames } = stores;
  await publishWindows(stores, "storm", { count: windows });
  await publish(stores, draftOf("storm", { seconds: 0, message: "corrected" }));
  await publish(stores, draftOf("storm", { seconds: -600, message: "backfilled" }));
  await replay(stores, "storm", "again", Math.ceil(windows / 2));
  for (const sequence of [3, 7]) {
    const offer = offerOf({ sequence, seconds: sequence * 120 });
    for (const { frameId } of offer.layers) await frames.put(findPicture(frameId)!);
    await catalog.adopt(offer);
  }
  const [startedAt, endedAt] = [observedAfter(0), observedAfter(7_200)];
  await catalog.registerEvent({ id: "awaited", label: "To be filled", startedAt, endedAt });
  await publishWindows(stores, "over", { count: 1 });
  await catalog.archiveEvent("over");
  const live = { id: "live", kind: "operational-feed" as const };
  for (const seconds of [0, 120, 7_200, 7_320])
    await publish(stores, { ...draftOf("live", { seconds }), event: live });
  await catalog.prune("live", 3_600_000);
  await noteWork(stores);
  for (const basedOn of [0, 1]) {
    const document = JSON.stringify(stepsOf("storm", `saved-on-${basedOn}`));
    await catalog.saveSteps({ eventId: "storm", document, basedOn });
  }
  for (const name of ["iem-warnings", "iem-reports"]) {
    await catalog.keepOverlay(overlayDraftOf("storm", { name, text: `the bytes of ${name}` }));
  }
}

async function noteWork({ catalog }: Stores): Promise<void> {
  const facts = {
    etag: '"e1"',
    byteLength: 9,
    sha256: sha256Of(Buffer.from("a")),
    observedAt: observedAfter(0),
  };
  const [, failed, complete] = await catalog.discoverAssets([
    assetOf("storm", "/there/a.grib2", facts),
    assetOf("storm", "/there/b.grib2"),
    assetOf("unknown", "/there/c.grib2", { productId: undefined }),
  ]);
  await catalog.updateAsset(failed!, { status: "failed", errorMessage: "Not GRIB2." });
  await catalog.updateAsset(complete!, { status: "complete" });
  const entry = { at: observedAfter(5), source: "folder:there", eventId: "live" };
  await catalog.appendFeedLog([
    { ...entry, kind: "received", productId: "mrms-mesh", byteLength: 9, delayMs: 5, locator: "a.grib2" },
    { ...entry, kind: "failed", message: "Not GRIB2." },
  ]);
}

const eventIds = ["storm", "unknown", "live"];

/** Returns everything that readers see of a catalog, with the bytes as hashes. */
export async function readEverything(location: StoresLocation): Promise<unknown> {
  const stores = await openReadableStores(location, { frameCacheByteLimit: 0 });
  const place =
    location.kind === "directory"
      ? await openDirectorySource(location.directory)
      : await openServicePlace(location);
  try {
    const { catalog, frames } = stores;
    const events = await catalog.listEvents(1_000);
    const revisions: unknown[] = [];
    for (const { id } of events) {
      for (const { manifest, ...revision } of await catalog.listRevisions(id, 10_000)) {
        const layers = await catalog.listLayers(id, revision.revisionId);
        revisions.push({ ...revision, manifest: Buffer.from(manifest).toString(), layers });
        for (const { frameId, sourceSha256 } of layers) {
          revisions.push(sha256Of((await frames.read(frameId))!));
          if (sourceSha256 === undefined) continue;
          revisions.push(sha256Of((await place.read("sources", sourceSha256))!));
        }
      }
    }
    const assets = (await Promise.all(eventIds.map((id) => catalog.listAssets(id)))).flat();
    return {
      ...{ events, revisions, assets: assets.map(withoutId) },
      newest: (await catalog.listNewestAssets()).map(withoutId),
      withdrawn: (await Promise.all(events.map(({ id }) => place.rows.listWithdrawn(id))))
        .flat()
        .map((row) => ({ ...row })),
      log: await catalog.listFeedLog({ limit: 20_000, afterId: 0 }),
      steps: await Promise.all(events.map(({ id }) => catalog.findSteps(id))),
      overlays: await Promise.all(events.map(({ id }) => place.rows.listOverlays(id))).then((rows) =>
        rows.flat().map(({ content, ...row }) => ({ ...row, content: sha256Of(content) })),
      ),
    };
  } finally {
    await stores.close();
    await place.close();
  }
}

/** Ids of assets are numbers of the engine. */
function withoutId({ id: _id, ...asset }: AssetRecord): Omit<AssetRecord, "id"> {
  return asset;
}
