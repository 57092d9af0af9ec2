// The stores of frames and sources: bytes by their hash, through the interfaces.
import { randomUUID } from "node:crypto";
import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { sha256Of } from "../../platform/sha256.ts";
import type { SourceStore } from "../files/source-store.ts";
import { draftOf, hashOf, layerOf } from "../support/drafts.ts";
import { pictureOf } from "../support/pictures.ts";
import { openTrial, type CatalogEngine } from "./catalog-engine.ts";

/** Stores bytes as a feed stores a download. Returns the path that it was at. */
export async function keepBytes(
  { sources, stagingFolder }: { readonly sources: SourceStore; readonly stagingFolder: string },
  bytes: Uint8Array,
): Promise<string> {
  await mkdir(stagingFolder, { recursive: true });
  const path = join(stagingFolder, randomUUID());
  await writeFile(path, bytes);
  expect(await sources.put(path)).toEqual({ sha256: sha256Of(bytes), byteLength: bytes.byteLength });
  return path;
}

export function storeContract(engine: CatalogEngine): void {
  describe("a frame store", () => {
    test("returns the bytes of a frame on every connection", async () => {
      const { frames, connect } = await openTrial(engine);
      const other = await connect();
      const frameId = await frames.put(pictureOf(1));
      expect(frameId).toBe(sha256Of(pictureOf(1)));
      for (const store of [frames, other.frames]) {
        expect(Buffer.from((await store.read(frameId))!)).toEqual(Buffer.from(pictureOf(1)));
      }
      expect(await other.frames.put(pictureOf(1))).toBe(frameId);
    });

    test("has no frame of an unknown or invalid id", async () => {
      const { frames } = await openTrial(engine);
      for (const frameId of [hashOf("none"), "../catalog", ""]) {
        expect(await frames.read(frameId)).toBeUndefined();
      }
    });

    test("stores the same frame once if many connections store it at the same time", async () => {
      const { frames, connect } = await openTrial(engine);
      const stores = [frames, (await connect()).frames, (await connect()).frames];
      const ids = await Promise.all(
        Array.from({ length: 12 }, (_, index) => stores[index % 3]!.put(pictureOf(7))),
      );
      expect(new Set(ids)).toEqual(new Set([sha256Of(pictureOf(7))]));
      expect(await frames.read(ids[0]!)).toBeDefined();
    });
  });

  describe("a source store", () => {
    test.each([
      ["compressed", gzipSync("GRIB and so on")],
      ["plain", Buffer.from("GRIB and so on")],
    ])("takes a %s download and returns its bytes on every connection", async (_form, bytes) => {
      const trial = await openTrial(engine);
      const other = await trial.connect();
      const sha256 = sha256Of(bytes);
      expect(await trial.sources.has(sha256)).toBe(false);
      const path = await keepBytes(trial, bytes);
      await expect(access(path)).rejects.toThrow("ENOENT");
      expect(await other.sources.has(sha256)).toBe(true);
      expect(Buffer.from((await other.sources.read(sha256))!)).toEqual(Buffer.from(bytes));
      await keepBytes(other, bytes);
    });

    test("has nothing of an unknown or invalid hash, and takes no missing file", async () => {
      const { sources, stagingFolder } = await openTrial(engine);
      for (const sha256 of [hashOf("none"), "../catalog.sqlite"]) {
        expect(await sources.has(sha256)).toBe(false);
        expect(await sources.read(sha256)).toBeUndefined();
      }
      await expect(sources.put(join(stagingFolder, "none"))).rejects.toMatchObject({
        code: "source-invalid",
      });
    });

    test("loses a source that is discarded, and keeps one that a revision was made from", async () => {
      const trial = await openTrial(engine);
      const [shown, unshown] = [Buffer.from("shown"), Buffer.from("unshown")];
      for (const bytes of [shown, unshown]) await keepBytes(trial, bytes);
      const layer = { ...layerOf(), sourceSha256: sha256Of(shown) };
      await trial.catalog.publish({ ...draftOf("a"), layers: [layer] });
      expect(await trial.catalog.discardSources([shown, unshown].map(sha256Of))).toBe(1);
      expect(await trial.sources.has(sha256Of(shown))).toBe(true);
      expect(await trial.sources.has(sha256Of(unshown))).toBe(false);
      expect(await trial.catalog.discardSources([])).toBe(0);
    });
  });
}
