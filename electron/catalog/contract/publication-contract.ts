// Publication: sequences, windows, carried layers and unchanged messages.
import { describe, expect, test } from "vitest";
import { MrmsManifest } from "../../../shared/contract/manifest.ts";
import { sha256Of } from "../../platform/sha256.ts";
import {
  assetOf,
  draftOf,
  hashOf,
  layerOf,
  manifestOf,
  observedAfter,
  startMs,
  type LayerFacts,
} from "../support/drafts.ts";
import { openTrial, type CatalogEngine } from "./catalog-engine.ts";

export function publicationContract(engine: CatalogEngine): void {
  describe("a publication", () => {
    test("takes sequences from 1 without a gap in each event", async () => {
      const { catalog } = await openTrial(engine);
      const sequences: (number | undefined)[] = [];
      for (const [eventId, seconds] of [
        ["a", 0],
        ["a", 120],
        ["b", 0],
        ["a", 240],
        ["b", 120],
      ] as const) {
        const { revision } = await catalog.publish(draftOf(eventId, { seconds }));
        sequences.push(revision?.sequence);
      }
      expect(sequences).toEqual([1, 2, 1, 3, 2]);
    });

    test("writes a valid manifest with its recorded hash and URLs of this service", async () => {
      const { catalog } = await openTrial(engine);
      const { revision } = await catalog.publish(
        draftOf(
          "storm-1",
          { seconds: 39 },
          { productId: "mrms-reflectivity", seconds: 3, bounds: [-101, 31, -95, 45] },
        ),
      );
      const manifest = MrmsManifest.parse(manifestOf(revision));
      expect(revision).toMatchObject({ revisionId: "20240501T200039Z-1", observedAt: observedAfter(39) });
      expect(revision!.manifestSha256).toBe(sha256Of(revision!.manifest));
      expect(manifest).toMatchObject({
        eventId: "storm-1",
        revisionId: "20240501T200039Z-1",
        sequence: 1,
        generatedAt: observedAfter(3600),
      });
      expect(manifest.layers.map(({ id, observedAt }) => [id, observedAt])).toEqual([
        ["mrms-reflectivity", observedAfter(3)],
        ["mrms-mesh", observedAfter(39)],
      ]);
      expect(manifest.layers[1]!.imageUrl).toBe(
        `/v1/storm-events/storm-1/frames/mrms-mesh/${layerOf({ seconds: 39 }).frameId}.png`,
      );
      const [notice] = await catalog.listNotices("storm-1", 0, 10);
      expect(notice).toMatchObject({
        bounds: [-101, 30, -90, 45],
        manifestUrl: "/v1/storm-events/storm-1/revisions/20240501T200039Z-1/manifest",
      });
    });

    test("writes the same bytes for the same draft at the same instant", async () => {
      const bytes: string[] = [];
      for (let run = 0; run < 2; run += 1) {
        const { catalog } = await openTrial(engine);
        const { revision } = await catalog.publish(draftOf("a", {}));
        bytes.push(Buffer.from(revision!.manifest).toString());
      }
      expect(bytes[0]).toBe(bytes[1]);
      expect(Object.keys(JSON.parse(bytes[0]!) as object)).toEqual([
        "schemaVersion",
        "mode",
        "attribution",
        "disclosure",
        "eventId",
        "revisionId",
        "sequence",
        "generatedAt",
        "layers",
      ]);
    });

    test("normalizes instants", async () => {
      const { catalog } = await openTrial(engine);
      const layer = {
        ...layerOf(),
        observedAt: "2024-05-01T15:00:00.000-05:00",
        sourceLastModified: "2024-05-01T20:01:00.250+00:00",
      };
      const { revision } = await catalog.publish({ event: { id: "a" }, layers: [layer], assetIds: [] });
      expect(MrmsManifest.parse(manifestOf(revision)).layers[0]).toMatchObject({
        observedAt: "2024-05-01T20:00:00Z",
        sourceLastModified: "2024-05-01T20:01:00.250Z",
      });
      expect(revision?.observedAt).toBe("2024-05-01T20:00:00Z");
    });

    test("of a window's second product adds the stored first product", async () => {
      const { catalog } = await openTrial(engine);
      await catalog.publish(draftOf("a", { seconds: 10 }));
      await catalog.publish(draftOf("a", { seconds: 130 }));
      const { revision } = await catalog.publish(
        draftOf("a", { productId: "mrms-reflectivity", seconds: 5 }),
      );
      expect(revision).toMatchObject({ sequence: 3, observedAt: observedAfter(10) });
      const manifest = MrmsManifest.parse(manifestOf(revision));
      expect(manifest.layers.map(({ id }) => id)).toEqual(["mrms-reflectivity", "mrms-mesh"]);
    });

    test("of another message for the same time is a correction and keeps the window's other layer", async () => {
      const { catalog } = await openTrial(engine);
      await catalog.publish(draftOf("a", { seconds: 0 }, { productId: "mrms-reflectivity", seconds: 2 }));
      await catalog.publish(draftOf("a", { seconds: 120 }));
      const { revision } = await catalog.publish(draftOf("a", { seconds: 0, message: "corrected" }));
      const manifest = MrmsManifest.parse(manifestOf(revision));
      expect(manifest.layers.map(({ imageUrl }) => imageUrl.slice(-68, -4))).toEqual([
        layerOf({ productId: "mrms-reflectivity", seconds: 2 }).frameId,
        layerOf({ message: "corrected" }).frameId,
      ]);
      expect(await catalog.findPublishedMessage("a", "mrms-mesh", observedAfter(0))).toMatchObject({
        messageSha256: layerOf({ message: "corrected" }).messageSha256,
        sequence: 3,
      });
    });

    test("of an unchanged message makes no revision, and of a partly changed draft publishes the rest", async () => {
      const { catalog } = await openTrial(engine);
      await catalog.publish(draftOf("a", { seconds: 0 }));
      expect(await catalog.publish(draftOf("a", { seconds: 0 }))).toEqual({
        revision: undefined,
        unchanged: ["mrms-mesh"],
      });
      const { revision, unchanged } = await catalog.publish(
        draftOf("a", { seconds: 0 }, { productId: "mrms-reflectivity", seconds: 1 }),
      );
      expect(unchanged).toEqual(["mrms-mesh"]);
      expect(MrmsManifest.parse(manifestOf(revision)).layers).toHaveLength(2);
      expect((await catalog.findEvent("a"))?.latestSequence).toBe(2);
    });

    test("reports its kind of change: first, completion, correction, backfill, or none", async () => {
      const { catalog } = await openTrial(engine);
      const changes: (string | undefined)[] = [];
      for (const layers of [
        [{ seconds: 240 }],
        [{ seconds: 241, productId: "mrms-reflectivity" }],
        [{ seconds: 240, message: "corrected" }],
        [{ seconds: 240, message: "corrected" }],
        [{ seconds: 0 }, { seconds: 1, productId: "mrms-reflectivity" }],
        [{ seconds: 0, message: "late correction" }],
        [{ seconds: 360 }],
      ] as const satisfies LayerFacts[][]) {
        changes.push((await catalog.publish(draftOf("a", ...layers))).change);
      }
      expect(changes).toEqual([
        "first",
        "completion",
        "correction",
        undefined,
        "backfill",
        "correction",
        "first",
      ]);
    });

    test("of an asset's repeated bytes changes nothing, even after a correction by another asset", async () => {
      const { catalog } = await openTrial(engine);
      const publish = async (locator: string, message: string): Promise<number | undefined> => {
        const assetIds = await catalog.discoverAssets([
          assetOf("a", locator, { observedAt: observedAfter(0) }),
        ]);
        const layer = { ...layerOf({ message }), sourceSha256: hashOf(`file of ${message}`) };
        return (await catalog.publish({ event: { id: "a" }, layers: [layer], assetIds })).revision?.sequence;
      };
      expect(await publish("one", "x")).toBe(1);
      expect(await publish("two", "y")).toBe(2);
      expect(await publish("one", "x")).toBeUndefined();
      expect(await publish("one", "z")).toBe(3);
      expect(await publish("two", "y")).toBeUndefined();
      expect(await publish("one", "x")).toBe(4);
    });

    test("is refused if one of its frames is not stored, and changes nothing", async () => {
      const { strictCatalog: catalog } = await openTrial(engine);
      const [assetId] = await catalog.discoverAssets([assetOf("a", "a.grib2")]);
      const draft = { ...draftOf("a", {}), assetIds: [assetId!] };
      await expect(catalog.publish(draft)).rejects.toMatchObject({ code: "frame-missing" });
      expect(await catalog.findEvent("a")).toBeUndefined();
      expect(await catalog.listAssets("a")).toMatchObject([{ status: "discovered" }]);
    });

    test("is never dated before the previous one, even if the clock is set back", async () => {
      const { catalog, setClock } = await openTrial(engine);
      const first = await catalog.publish(draftOf("a", { seconds: 0 }));
      await setClock(startMs);
      const second = await catalog.publish(draftOf("a", { seconds: 120 }));
      expect(second.revision!.publishedAt).toBe(first.revision!.publishedAt);
      expect((await catalog.findEvent("a"))?.updatedAt).toBe(first.revision!.publishedAt);
      const elsewhere = await catalog.publish(draftOf("b", { seconds: 0 }));
      expect(elsewhere.revision!.publishedAt).toBe(observedAfter(0));
    });
  });
}
