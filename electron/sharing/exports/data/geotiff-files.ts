// GeoTIFF, a file for each revision and layer.
import { join } from "node:path";
import { toGeotiffName } from "../../../../shared/rasters/export-names.ts";
import { writeGeotiff } from "../../../../shared/rasters/write-geotiff.ts";
import type { WriteExport } from "../export-request.ts";
import { stageFiles } from "../staged-files.ts";
import { deflate, loadRaster } from "./read-raster.ts";
import { readChosenLayers } from "./read-layers.ts";

/** @throws as `readChosenLayers` and `loadRaster` do, too */
export const writeGeotiffFiles: WriteExport = async (request, { catalog, frames, signal, onProgress }) => {
  const { layers } = await readChosenLayers(catalog, request, signal);
  return stageFiles(signal, async (files) => {
    for (const [order, layer] of layers.entries()) {
      const path = join(request.out, toGeotiffName(layer.facts));
      const bytes = await writeGeotiff(await loadRaster(frames, layer), layer.facts, deflate);
      await files.add(path, bytes, { order, revisionIds: [layer.facts.revision.revisionId] });
      onProgress?.(order + 1, layers.length);
    }
  });
};
