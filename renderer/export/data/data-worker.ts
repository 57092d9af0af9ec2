// The worker that writes GeoTIFF and KMZ of the frames that the service gives, with the writers of the command line.
import "../../platform/schema-settings.ts";
import { zipSync, type Zippable } from "fflate";
import { toCellRaster, type CellRaster } from "../../../shared/rasters/cell-raster.ts";
import { encodeCellPng } from "../../../shared/rasters/cell-png.ts";
import type { Deflate } from "../../../shared/rasters/deflate.ts";
import { writeGeotiff } from "../../../shared/rasters/write-geotiff.ts";
import { AppError, messageOf } from "../../../shared/app-error.ts";
import { readFrameParts } from "../../../shared/frames/read-frame.ts";
import { screenPictures, toOverlayKml, toPicturePath } from "../../../shared/kml/overlay-kml.ts";
import { readChunks } from "../../../shared/png/chunks.ts";
import { fetchFrame } from "../../frames/fetch-frame.ts";
import { inflateAll } from "../../frames/inflate-stream.ts";
import { decodeCells } from "../../frames/source-cells.ts";
import { toGeotiffName } from "../../../shared/rasters/export-names.ts";
import type { DataLayer, DataReply, DataRequest } from "./data-messages.ts";

/** Ended by the page. */
const endless = new AbortController().signal;
/** Pictures are packed already. */
const stored = { level: 0 } as const;
/** The same content always makes the same archive. */
const archiveTime = { mtime: new Date(1980, 0, 1) };

self.addEventListener("message", ({ data }: MessageEvent<DataRequest>) => {
  void write(data).then(
    (file) => {
      reply({ file });
    },
    (error: unknown) => {
      const code = error instanceof AppError ? error.code : "stored-data-invalid";
      reply({ problem: { code, detail: messageOf(error) } });
    },
  );
});

function reply(answer: DataReply): void {
  self.postMessage(answer);
}

async function write(request: DataRequest): Promise<Blob> {
  const { format, layers } = request;
  const files: Zippable = {};
  if (format === "kmz") {
    const overlays = layers.map(({ facts, frame }) => ({ layer: facts, bounds: frame.bounds }));
    files["doc.kml"] = new TextEncoder().encode(toOverlayKml(overlays));
    files[screenPictures.legend.href] = [request.legend, stored];
    files[screenPictures.credits.href] = [request.credits, stored];
  }
  for (const [index, layer] of layers.entries()) {
    const raster = await loadRaster(layer);
    if (format === "kmz") files[toPicturePath(layer.facts)] = [await encodeCellPng(raster, deflate), stored];
    else files[toGeotiffName(layer.facts)] = [await writeGeotiff(raster, layer.facts, deflate), stored];
    reply({ done: index + 1 });
  }
  const [single, ...others] = Object.values(files);
  if (format === "geotiff" && others.length === 0) {
    const [bytes] = single as [Uint8Array<ArrayBuffer>, unknown];
    return new Blob([bytes], { type: "image/tiff" });
  }
  const type = format === "kmz" ? "application/vnd.google-earth.kmz" : "application/zip";
  return new Blob([zipSync(files, archiveTime)], { type });
}

async function loadRaster({ frame, facts }: DataLayer): Promise<CellRaster> {
  const png = await fetchFrame(frame.imageUrl, endless);
  const cells = await decodeCells(png, frame.bounds);
  const parts = await readFrameParts(readChunks(png), (deflated, length) => inflateAll([deflated], length));
  if (cells && parts) return toCellRaster(cells, { bounds: frame.bounds, palette: parts.palette });
  const { sequence } = facts.revision;
  throw new AppError(
    "stored-data-invalid",
    `The frame of revision ${sequence} does not say its classes and their cells.`,
  );
}

const deflate: Deflate = async (bytes) => {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};
