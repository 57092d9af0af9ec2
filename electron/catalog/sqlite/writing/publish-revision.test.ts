// Publication: sequences, windows, carried layers, unchanged messages, and the event's row.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { MrmsManifest } from "../../../../shared/contract/manifest.ts";
import { dataDirectory } from "../../files/data-directory.ts";
import { createStoredFiles } from "../../files/stored-files.ts";
import {
  assetOf,
  assumedFiles,
  draftOf,
  hashOf,
  layerOf,
  manifestOf,
  observedAfter,
  openTestCatalog,
  startMs,
  type LayerFacts,
} from "../../support/drafts.ts";

describe("a publication", () => {
  test("takes sequences from 1 without a gap in each event", async () => {
    const { catalog } = await openTestCatalog();
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

  test("never reuses a sequence, even if its revision was removed", async () => {
    const { catalog, directory } = await openTestCatalog();
    await catalog.publish(draftOf("a", { seconds: 0 }));
    await catalog.publish(draftOf("a", { seconds: 120 }));
    const database = new DatabaseSync(join(directory, "catalog.sqlite"));
    database.exec("DELETE FROM revisions");
    database.close();
    const { revision } = await catalog.publish(draftOf("a", { seconds: 240 }));
    expect(revision?.sequence).toBe(3);
  });

  test("writes a valid manifest with its recorded hash and URLs of this service", async () => {
    const { catalog, clock } = await openTestCatalog();
    const { revision } = await catalog.publish(
      draftOf(
        "storm-1",
        { seconds: 39 },
        { productId: "mrms-reflectivity", seconds: 3, bounds: [-101, 31, -95, 45] },
      ),
    );
    const manifest = MrmsManifest.parse(manifestOf(revision));
    expect(revision).toMatchObject({ revisionId: "20240501T200039Z-1", observedAt: observedAfter(39) });
    expect(revision!.manifestSha256).toBe(createHash("sha256").update(revision!.manifest).digest("hex"));
    expect(manifest).toMatchObject({
      eventId: "storm-1",
      revisionId: "20240501T200039Z-1",
      sequence: 1,
      generatedAt: new Date(clock.nowMs).toISOString().replace(".000Z", "Z"),
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
      const { catalog } = await openTestCatalog();
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
    const { catalog } = await openTestCatalog();
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
    const { catalog } = await openTestCatalog();
    await catalog.publish(draftOf("a", { seconds: 10 }));
    await catalog.publish(draftOf("a", { seconds: 130 }));
    const { revision } = await catalog.publish(draftOf("a", { productId: "mrms-reflectivity", seconds: 5 }));
    expect(revision).toMatchObject({ sequence: 3, observedAt: observedAfter(10) });
    const manifest = MrmsManifest.parse(manifestOf(revision));
    expect(manifest.layers.map(({ id }) => id)).toEqual(["mrms-reflectivity", "mrms-mesh"]);
  });

  test("of another message for the same time is a correction and keeps the window's other layer", async () => {
    const { catalog } = await openTestCatalog();
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
    const { catalog } = await openTestCatalog();
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
    const { catalog } = await openTestCatalog();
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
    const { catalog } = await openTestCatalog();
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
    const { catalog } = await openTestCatalog(undefined, (root) => createStoredFiles(dataDirectory(root)));
    const [assetId] = await catalog.discoverAssets([assetOf("a", "a.grib2")]);
    const draft = { ...draftOf("a", {}), assetIds: [assetId!] };
    await expect(catalog.publish(draft)).rejects.toMatchObject({ code: "frame-missing" });
    expect(await catalog.findEvent("a")).toBeUndefined();
    expect(await catalog.listAssets("a")).toMatchObject([{ status: "discovered" }]);
  });

  test("omits the window's other layer if its frame was removed manually", async () => {
    let lost = "";
    const { catalog } = await openTestCatalog(undefined, (root) => ({
      ...assumedFiles(root),
      hasFrame: (frameId) => Promise.resolve(frameId !== lost),
    }));
    await catalog.publish(draftOf("a", {}));
    lost = layerOf().frameId;
    const { revision } = await catalog.publish(draftOf("a", { productId: "mrms-reflectivity", seconds: 2 }));
    const { layers } = MrmsManifest.parse(manifestOf(revision));
    expect(layers.map(({ id }) => id)).toEqual(["mrms-reflectivity"]);
  });

  test("is never dated before the previous one, even if the clock is set back", async () => {
    const { catalog, clock } = await openTestCatalog();
    const first = await catalog.publish(draftOf("a", { seconds: 0 }));
    clock.nowMs -= 86_400_000;
    const second = await catalog.publish(draftOf("a", { seconds: 120 }));
    expect(second.revision!.publishedAt).toBe(first.revision!.publishedAt);
    expect((await catalog.findEvent("a"))?.updatedAt).toBe(first.revision!.publishedAt);
    const elsewhere = await catalog.publish(draftOf("b", { seconds: 0 }));
    expect(Date.parse(elsewhere.revision!.publishedAt)).toBe(clock.nowMs);
  });

  test.each([
    ["no layer", draftOf("a")],
    ["one product twice", draftOf("a", { seconds: 0 }, { seconds: 1 })],
    ["layers of two windows", draftOf("a", { seconds: 0 }, { productId: "mrms-reflectivity", seconds: 120 })],
    ["an event id outside the contract", draftOf("Not An Id", {})],
  ])("with %s is refused and changes nothing", async (_name, draft) => {
    const { catalog } = await openTestCatalog();
    await expect(catalog.publish(draft)).rejects.toMatchObject({ code: "invalid-input" });
    expect(await catalog.listEvents(10)).toEqual([]);
  });
});

describe("an event", () => {
  test("is created by its first publication with its id as label, and grows with each publication", async () => {
    const { catalog } = await openTestCatalog();
    expect(await catalog.findEvent("a")).toBeUndefined();
    await catalog.publish(draftOf("a", { seconds: 120, bounds: [-100, 30, -90, 40] }));
    await catalog.publish(draftOf("a", { seconds: 0, bounds: [-95, 25, -85, 35] }));
    expect(await catalog.findEvent("a")).toMatchObject({
      kind: "historical-event",
      label: "a",
      status: "active",
      retentionClass: "benchmark",
      startedAt: observedAfter(0),
      endedAt: observedAfter(120),
      bounds: [-100, 25, -85, 40],
      currentRevisionId: "20240501T200000Z-2",
      latestSequence: 2,
    });
  });

  test("of kind historical is complete after an ingest and active again with the next publication", async () => {
    const { catalog } = await openTestCatalog();
    await catalog.publish(draftOf("a", {}));
    await catalog.completeEvent("a");
    expect((await catalog.findEvent("a"))?.status).toBe("complete");
    await catalog.publish(draftOf("a", { seconds: 120 }));
    expect((await catalog.findEvent("a"))?.status).toBe("active");
    await expect(catalog.completeEvent("unknown")).resolves.toBeUndefined();
  });

  test("of kind operational-feed stays active and ends at its newest observation", async () => {
    const { catalog } = await openTestCatalog();
    const live = { id: "live", kind: "operational-feed" } as const;
    await catalog.publish({ ...draftOf("live", { seconds: 240 }), event: live });
    await catalog.publish({ ...draftOf("live", { seconds: 0 }), event: live });
    await catalog.completeEvent("live");
    expect(await catalog.findEvent("live")).toMatchObject({
      status: "active",
      retentionClass: "operational",
      endedAt: observedAfter(240),
    });
  });

  test("of kind operational-feed accepts observations at most 10 minutes ahead of the clock", async () => {
    const { catalog, clock } = await openTestCatalog();
    clock.nowMs = startMs;
    const live = { id: "live", kind: "operational-feed" } as const;
    await expect(
      catalog.publish({ ...draftOf("live", { seconds: 601 }), event: live }),
    ).rejects.toMatchObject({
      code: "source-invalid",
      detail: expect.stringContaining("11 minutes ahead") as string,
    });
    expect(await catalog.findEvent("live")).toBeUndefined();
    const { revision } = await catalog.publish({ ...draftOf("live", { seconds: 600 }), event: live });
    expect(revision?.sequence).toBe(1);
    expect((await catalog.publish(draftOf("benchmark", { seconds: 9999 }))).revision?.sequence).toBe(1);
  });

  test("of kind historical accepts observed times at most a day ahead, and any synthetic time", async () => {
    const { catalog, clock } = await openTestCatalog();
    clock.nowMs = startMs;
    await expect(catalog.publish(draftOf("storm", { seconds: 86_401 }))).rejects.toMatchObject({
      code: "source-invalid",
      detail: expect.stringContaining("2024-05-02T20:00:01.000Z is more than a day ahead") as string,
    });
    expect(await catalog.findEvent("storm")).toBeUndefined();
    expect((await catalog.publish(draftOf("storm", { seconds: 86_400 }))).revision?.sequence).toBe(1);
    const synthetic = { id: "synthetic", origin: "synthetic" } as const;
    const draft = { ...draftOf("synthetic", { seconds: 86_401 }), event: synthetic };
    expect((await catalog.publish(draft)).revision?.sequence).toBe(1);
  });

  test("cannot change once it is archived", async () => {
    const { catalog, directory } = await openTestCatalog();
    await catalog.publish(draftOf("a", { seconds: 0 }));
    const database = new DatabaseSync(join(directory, "catalog.sqlite"));
    database.exec(
      "UPDATE events SET status = 'archived'; UPDATE catalog_state SET content_version = content_version + 1",
    );
    database.close();
    await expect(catalog.publish(draftOf("a", { seconds: 120 }))).rejects.toMatchObject({
      code: "conflict",
      detail: "The event a is archived and cannot change.",
    });
    await catalog.completeEvent("a");
    expect(await catalog.findEvent("a")).toMatchObject({ status: "archived", latestSequence: 1 });
  });

  test("with synthetic pictures says so in label and manifests, and refuses observed pictures", async () => {
    const { catalog } = await openTestCatalog();
    const event = { id: "demo", label: "Demonstration", origin: "synthetic" } as const;
    const { revision } = await catalog.publish({ ...draftOf("demo", {}), event });
    expect((await catalog.findEvent("demo"))?.label).toBe("Demonstration (synthetic)");
    expect(MrmsManifest.parse(manifestOf(revision)).disclosure).toMatch(/^SYNTHETIC/);
    await expect(
      catalog.publish({ ...draftOf("demo", { seconds: 120 }), event: { id: "demo", origin: "observed" } }),
    ).rejects.toMatchObject({ code: "conflict" });
    const next = await catalog.publish({ ...draftOf("demo", { seconds: 120 }), event: { id: "demo" } });
    expect(MrmsManifest.parse(manifestOf(next.revision)).disclosure).toMatch(/^SYNTHETIC/);
  });

  test("refuses a label that cannot be shown", async () => {
    const { catalog } = await openTestCatalog();
    for (const label of ["", "\u001b[31mred", "a\u202eb", "two\nlines"]) {
      await expect(catalog.publish({ ...draftOf("a", {}), event: { id: "a", label } })).rejects.toMatchObject(
        {
          code: "invalid-input",
        },
      );
    }
    expect(await catalog.listEvents(5)).toEqual([]);
  });

  test("keeps its kind and accepts a new label", async () => {
    const { catalog } = await openTestCatalog();
    await catalog.publish(draftOf("a", {}));
    await expect(
      catalog.publish({ ...draftOf("a", { seconds: 120 }), event: { id: "a", kind: "operational-feed" } }),
    ).rejects.toMatchObject({ code: "conflict" });
    await catalog.publish({ ...draftOf("a", { seconds: 120 }), event: { id: "a", label: "May Day hail" } });
    expect((await catalog.findEvent("a"))?.label).toBe("May Day hail");
  });
});
