// Ingest from the user's view: which files are published, in which order, and how invalid input is reported.
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { MrmsManifest } from "../../../shared/contract/manifest.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { createRenderPool, type RenderPool } from "./render-pool.ts";
import { assetsOf, revisionsOf } from "./support/stored-rows.ts";
import { createWorkshop, workerUrl } from "./support/workshop.ts";

let pool: RenderPool;
beforeAll(() => {
  pool = createRenderPool({ workerUrl, size: 2 });
});
afterAll(() => pool.close());

describe("files of one call", () => {
  test("are published in order of observation, with both products of a window in one revision", async () => {
    const workshop = await createWorkshop(pool);
    workshop.write("mrms-mesh", "2024-05-01T20:04:39Z");
    workshop.write("mrms-reflectivity", "2024-05-01T20:00:40Z");
    workshop.write("mrms-mesh", "2024-05-01T20:00:02Z", { gzip: false });
    workshop.write("mrms-reflectivity", "2024-05-01T20:02:41Z");
    const results = await workshop.ingest([workshop.sources]);
    expect(results.map(({ status }) => status)).toEqual(["complete", "complete", "complete", "complete"]);
    expect(await revisionsOf(workshop.catalog)).toEqual([
      "1 refl 20:00:40 + mesh 20:00:02",
      "2 refl 20:02:41",
      "3 mesh 20:04:39",
    ]);
    expect(results[0]).toEqual({
      file: join(workshop.sources, "MRMS_MESH_00.50_20240501-200002.grib2"),
      product: "mrms-mesh",
      observedAt: "2024-05-01T20:00:02Z",
      status: "complete",
      revisionId: "20240501T200040Z-1",
      sequence: 1,
    });
    expect(await workshop.catalog.findEvent("storm")).toMatchObject({
      status: "complete",
      startedAt: "2024-05-01T20:00:02Z",
      endedAt: "2024-05-01T20:04:39Z",
    });
  });

  test("make manifests with stored frames, which name sources only by hash", async () => {
    const workshop = await createWorkshop(pool);
    const path = workshop.write("mrms-mesh", "2024-05-01T20:00:02Z", { fill: 30 });
    await workshop.ingest([path]);
    const revision = await workshop.catalog.findLatestRevision("storm");
    const text = Buffer.from(revision!.manifest).toString();
    const [layer] = MrmsManifest.parse(JSON.parse(text)).layers;
    const frameId = basename(layer!.imageUrl, ".png");
    expect(
      Buffer.from((await workshop.frames.read(frameId))!)
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
    const digest = createHash("sha256").update(readFileSync(path)).digest("base64url");
    expect(layer!.sourceUrl).toBe(`ni:///sha-256;${digest}`);
    expect(Date.parse(layer!.sourceLastModified!)).toBe(Math.floor(statSync(path).mtimeMs));
    expect(text).not.toContain(workshop.sources);
    expect(layer!.bounds).toEqual([-98, 35.9, -97.8, 36]);
  });

  test("change nothing when they are given again, renamed, or with other compression, in this call or the next", async () => {
    const workshop = await createWorkshop(pool);
    const path = workshop.write("mrms-mesh", "2024-05-01T20:00:02Z");
    const unpacked = join(workshop.sources, "unpacked.grib2");
    writeFileSync(unpacked, gunzipSync(readFileSync(path)));
    const first = await workshop.ingest([path, path, unpacked]);
    expect(first.map(({ status }) => status).toSorted()).toEqual(["complete", "unchanged", "unchanged"]);
    const render = vi.fn(workshop.pool.render);
    const watched = { ...workshop.pool, render };
    const second = await workshop.ingest([workshop.sources, path], { id: "storm" }, { pool: watched });
    expect(second.map(({ status }) => status)).toEqual(["unchanged", "unchanged", "unchanged"]);
    expect(second[0]).toEqual({
      file: path,
      product: "mrms-mesh",
      observedAt: "2024-05-01T20:00:02Z",
      status: "unchanged",
    });
    expect(render).not.toHaveBeenCalled();
    expect(await revisionsOf(workshop.catalog)).toEqual(["1 mesh 20:00:02"]);
    expect(assetsOf(workshop).map(({ status }) => status)).toEqual(["complete", "complete"]);
  });

  test("are read behind an extra field of gzip of any length", async () => {
    const workshop = await createWorkshop(pool);
    const path = workshop.write("mrms-mesh", "2024-05-01T20:00:02Z");
    const packed = readFileSync(path);
    packed[3]! |= 4;
    const length = 0xffff;
    const extra = Buffer.alloc(2 + length);
    extra.writeUInt16LE(length);
    writeFileSync(path, Buffer.concat([packed.subarray(0, 10), extra, packed.subarray(10)]));
    expect(await workshop.ingest([path])).toMatchObject([{ status: "complete" }]);
  });

  test("that correct each other are published in that order, and only once", async () => {
    const workshop = await createWorkshop(pool);
    const observedAt = "2024-05-01T20:00:02Z";
    const corrected = workshop.write("mrms-mesh", observedAt, { name: "a.grib2.gz", fill: 40 });
    const original = workshop.write("mrms-mesh", observedAt, { name: "b.grib2.gz", fill: 30 });
    utimesSync(original, 1000, 1000);
    utimesSync(corrected, 2000, 2000);
    const first = await workshop.ingest([workshop.sources]);
    expect(first.map(({ file, status }) => [basename(file), status])).toEqual([
      ["b.grib2.gz", "complete"],
      ["a.grib2.gz", "complete"],
    ]);
    const second = await workshop.ingest([workshop.sources]);
    expect(second.map(({ status }) => status)).toEqual(["unchanged", "unchanged"]);
    expect(await revisionsOf(workshop.catalog)).toEqual(["1 mesh 20:00:02", "2 mesh 20:00:02"]);
  });
});

describe("a repeated file", () => {
  const observedAt = "2024-05-01T20:00:02Z";

  test("changes nothing, even after another file has corrected its time", async () => {
    const workshop = await createWorkshop(pool);
    const a = workshop.write("mrms-mesh", observedAt, { name: "a.grib2.gz", fill: 30 });
    const b = workshop.write("mrms-mesh", observedAt, { name: "b.grib2.gz", fill: 40 });
    const statuses: string[] = [];
    for (const path of [a, b, a, b, a]) {
      for (const { status } of await workshop.ingest([path])) statuses.push(status);
    }
    expect(statuses).toEqual(["complete", "complete", "unchanged", "unchanged", "unchanged"]);
    expect(await revisionsOf(workshop.catalog)).toEqual(["1 mesh 20:00:02", "2 mesh 20:00:02"]);
    expect(assetsOf(workshop).map(({ status }) => status)).toEqual(["complete", "complete"]);
  });

  test("is published if it has older bytes again", async () => {
    const workshop = await createWorkshop(pool);
    for (const [index, fill] of [30, 40, 30, 30].entries()) {
      const path = workshop.write("mrms-mesh", observedAt, { name: "a.grib2.gz", fill });
      const [result] = await workshop.ingest([path]);
      expect(result?.status).toBe(index < 3 ? "complete" : "unchanged");
    }
    expect(await revisionsOf(workshop.catalog)).toHaveLength(3);
  });

  test("changes nothing, but a copy with a new name is published", async () => {
    const workshop = await createWorkshop(pool);
    const a = workshop.write("mrms-mesh", observedAt, { name: "a.grib2.gz", fill: 30 });
    await workshop.ingest([a]);
    await workshop.ingest([workshop.write("mrms-mesh", observedAt, { name: "b.grib2.gz", fill: 40 })]);
    const copy = workshop.write("mrms-mesh", observedAt, { name: "c.grib2.gz", fill: 30 });
    const results = await workshop.ingest([a, copy]);
    expect(results.map(({ file, status }) => [basename(file), status]).toSorted()).toEqual([
      ["a.grib2.gz", "unchanged"],
      ["c.grib2.gz", "complete"],
    ]);
  });

  test("changes nothing, even after a failed or interrupted attempt", async () => {
    const workshop = await createWorkshop(pool);
    const a = workshop.write("mrms-mesh", observedAt, { name: "a.grib2.gz", fill: 30 });
    const b = workshop.write("mrms-mesh", observedAt, { name: "b.grib2.gz", fill: 40 });
    await workshop.ingest([a, b]);
    const bytes = readFileSync(a);
    writeFileSync(a, "damaged");
    expect(await workshop.ingest([a])).toMatchObject([{ status: "failed" }]);
    writeFileSync(a, bytes);
    await workshop.catalog.discoverAssets([
      { ...(await workshop.catalog.listAssets("storm"))[0]!, sha256: undefined },
    ]);
    expect(await workshop.ingest([a])).toMatchObject([{ status: "unchanged" }]);
  });
});

describe("a later call", () => {
  test("corrects, completes and fills in windows with the next sequences", async () => {
    const workshop = await createWorkshop(pool);
    await workshop.ingest([
      workshop.write("mrms-mesh", "2024-05-01T20:00:02Z"),
      workshop.write("mrms-reflectivity", "2024-05-01T20:00:10Z"),
      workshop.write("mrms-mesh", "2024-05-01T20:04:00Z"),
    ]);
    const results = await workshop.ingest([
      workshop.write("mrms-mesh", "2024-05-01T20:00:02Z", { name: "corrected.grib2.gz", fill: 50 }),
      workshop.write("mrms-mesh", "2024-05-01T20:02:00Z"),
      workshop.write("mrms-reflectivity", "2024-05-01T20:04:10Z"),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["complete", "complete", "complete"]);
    expect(await revisionsOf(workshop.catalog)).toEqual([
      "1 refl 20:00:10 + mesh 20:00:02",
      "2 mesh 20:04:00",
      "3 refl 20:00:10 + mesh 20:00:02",
      "4 mesh 20:02:00",
      "5 refl 20:04:10 + mesh 20:04:00",
    ]);
  });
});

describe("the whole call", () => {
  test("completes a historical event unless more files will follow", async () => {
    const workshop = await createWorkshop(pool);
    const statusAfter = async (at: string, options: { completesEvent?: boolean }): Promise<unknown> => {
      await workshop.ingest([workshop.write("mrms-mesh", at)], { id: "storm" }, options);
      return (await workshop.catalog.findEvent("storm"))?.status;
    };
    expect(await statusAfter("2024-05-01T20:00:02Z", { completesEvent: false })).toBe("active");
    expect(await statusAfter("2024-05-01T20:02:02Z", {})).toBe("complete");
  });

  test("is refused for an invalid event id or an archived event before any file is read", async () => {
    const workshop = await createWorkshop(pool);
    const path = workshop.write("mrms-mesh", "2024-05-01T20:00:02Z");
    await expect(workshop.ingest([path], { id: "Not An Id" })).rejects.toMatchObject({
      code: "invalid-input",
    });
    await workshop.ingest([path]);
    const database = new DatabaseSync(join(workshop.data, "catalog.sqlite"));
    database.exec("UPDATE events SET status = 'archived'");
    database.close();
    await expect(
      workshop.ingest([workshop.write("mrms-mesh", "2024-05-01T20:02:02Z")]),
    ).rejects.toMatchObject({ code: "conflict", detail: "The event storm is archived and cannot change." });
    expect(assetsOf(workshop)).toHaveLength(1);
  });

  test("stops on an abort and keeps what is published; a later call does the rest", async () => {
    const workshop = await createWorkshop(pool);
    for (let minute = 0; minute < 20; minute += 2) {
      workshop.write("mrms-mesh", `2024-05-01T20:${String(minute).padStart(2, "0")}:00Z`);
    }
    const controller = new AbortController();
    const onFile = vi.fn(() => {
      if (onFile.mock.calls.length === 3) controller.abort();
    });
    await expect(
      workshop.ingest([workshop.sources], { id: "storm" }, { signal: controller.signal, onFile }),
    ).rejects.toThrow(expect.objectContaining({ name: "AbortError" }) as Error);
    expect(onFile).toHaveBeenCalledTimes(3);
    expect(await revisionsOf(workshop.catalog)).toHaveLength(3);
    const states = assetsOf(workshop).map(({ status }) => status);
    expect(states).toEqual([...Array<string>(3).fill("complete"), ...Array<string>(7).fill("discovered")]);
    const results = await workshop.ingest([workshop.sources]);
    expect(results.filter(({ status }) => status === "complete")).toHaveLength(7);
    expect(await revisionsOf(workshop.catalog)).toHaveLength(10);
  });

  test("reports its progress up to the last file", async () => {
    const workshop = await createWorkshop(pool);
    workshop.write("mrms-mesh", "2024-05-01T20:00:00Z");
    workshop.write("mrms-reflectivity", "2024-05-01T20:00:00Z");
    const onProgress = vi.fn();
    await workshop.ingest([workshop.sources, "/nowhere/at/all"], { id: "storm" }, { onProgress });
    expect(onProgress.mock.calls).toEqual([
      [0, 3],
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  test("fails with storage-failed and publishes nothing if the disk refuses a frame", async () => {
    const workshop = await createWorkshop(pool);
    const path = workshop.write("mrms-mesh", "2024-05-01T20:00:00Z");
    const { png } = await workshop.pool.render(path);
    const frameId = createHash("sha256").update(png).digest("hex");
    writeFileSync(join(workshop.data, "frames", frameId.slice(0, 2)), "a file where a folder must be");
    await expect(workshop.ingest([path])).rejects.toMatchObject({ code: "storage-failed" });
    expect(await workshop.catalog.listEvents(10)).toEqual([]);
    expect(assetsOf(workshop).map(({ status }) => status)).toEqual(["discovered"]);
  });

  test("publishes the content of a file at the time of rendering, even if it was replaced after its header was read", async () => {
    const workshop = await createWorkshop(pool);
    const path = workshop.write("mrms-mesh", "2024-05-01T20:00:00Z", { name: "a.grib2.gz" });
    const replacement = workshop.write("mrms-reflectivity", "2024-05-01T21:00:00Z", { name: "b.grib2.gz" });
    const catalog: Catalog = {
      ...workshop.catalog,
      findPublishedMessage: (...args) => {
        copyFileSync(replacement, path);
        return workshop.catalog.findPublishedMessage(...args);
      },
    };
    const results = await workshop.ingest([path], { id: "storm" }, { catalog });
    expect(results).toMatchObject([{ product: "mrms-reflectivity", observedAt: "2024-05-01T21:00:00Z" }]);
    expect(await revisionsOf(workshop.catalog)).toEqual(["1 refl 21:00:00"]);
    expect(await workshop.catalog.listNewestAssets()).toMatchObject([
      { productId: "mrms-reflectivity", observedAt: "2024-05-01T21:00:00Z", status: "complete" },
    ]);
  });
});
