// KMZ for a globe: one file with the pictures of all revisions, the legend and the credits.
import { join } from "node:path";
import { zipSync, type Zippable } from "fflate";
import { screenPictures, toOverlayKml, toPicturePath } from "../../../../shared/kml/overlay-kml.ts";
import { encodeCellPng } from "../../../../shared/rasters/cell-png.ts";
import { toStem } from "../../../../shared/rasters/export-names.ts";
import type { ExportSources, WriteExport } from "../export-request.ts";
import { stageFiles } from "../staged-files.ts";
import { deflate, loadRaster } from "./read-raster.ts";
import { readChosenLayers, type ChosenLayer } from "./read-layers.ts";
import { drawCredits, drawLegends } from "./outlined-legends.ts";

/** Pictures are packed already. */
const stored = { level: 0 } as const;

/** @throws as `readChosenLayers` and `loadRaster` do, too */
export const writeKmzFile: WriteExport = async (request, sources) => {
  const { signal } = sources;
  const { layers } = await readChosenLayers(sources.catalog, request, signal);
  const revisionIds = [...new Set(layers.map(({ facts }) => facts.revision.revisionId))];
  const name = `${toStem(layers.map(({ facts }) => facts))}.kmz`;
  return stageFiles(signal, async (files) => {
    await files.add(join(request.out, name), await packKmz(layers, sources), { order: 0, revisionIds });
  });
};

async function packKmz(
  layers: readonly ChosenLayer[],
  { frames, mapFile, signal, onProgress }: ExportSources,
): Promise<Uint8Array> {
  const overlays = layers.map(({ facts, published }) => ({ layer: facts, bounds: published.bounds }));
  const [legend, credits] = [await drawLegends(layers, mapFile), await drawCredits(layers.at(-1)!, mapFile)];
  // A reader takes the first document in the archive.
  const archive: Zippable = {
    "doc.kml": Buffer.from(toOverlayKml(overlays)),
    [screenPictures.legend.href]: [legend, stored],
    [screenPictures.credits.href]: [credits, stored],
  };
  for (const [index, layer] of layers.entries()) {
    signal.throwIfAborted();
    archive[toPicturePath(layer.facts)] = [
      await encodeCellPng(await loadRaster(frames, layer), deflate),
      stored,
    ];
    onProgress?.(index + 1, layers.length);
  }
  // The same content always makes the same archive.
  return zipSync(archive, { mtime: new Date(1980, 0, 1) });
}
