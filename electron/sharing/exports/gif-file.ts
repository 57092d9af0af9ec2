// Writes a loop as a GIF for mail. Of its 256 colors, those of the classes are exact; letters and lines may take the
// nearest.
import { countColors } from "../../../shared/animations/changed-pixels.ts";
import {
  createGifFrames,
  createHundredths,
  toGifHead,
  toGifTail,
} from "../../../shared/animations/gif-writer.ts";
import { stopColors, toRgba } from "../../../shared/products/palettes.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import { drawLoop } from "./draw-loop.ts";
import type { ExportRequest, WriteExport } from "./export-request.ts";
import { describeFile, toComment } from "./file-texts.ts";
import { readExportPlan, type ExportPlan } from "./read-frames.ts";
import { stageFiles } from "./staged-files.ts";

export const writeGifFile: WriteExport = async (request, sources) => {
  const plan = await readExportPlan(request, sources);
  const { picture, out } = request;
  const comment = Buffer.from(toComment(describeFile(plan, plan.revisions)));
  const parts: Uint8Array[] = [toGifHead(picture, comment)];
  const toFrame = createGifFrames(picture.widthPx, picture.heightPx, toExactColors(plan, picture));
  const toHundredths = createHundredths();
  return stageFiles(sources.signal, async (files) => {
    for await (const { pixels, before, durationMs } of drawLoop(plan, request, sources)) {
      parts.push(toFrame(countColors(pixels, before), toHundredths(durationMs)));
    }
    const revisionIds = plan.revisions.map(({ revisionId }) => revisionId);
    await files.add(out, Buffer.concat([...parts, toGifTail()]), { revisionIds, order: 0 });
  });
};

/** Returns the opaque colors of all classes shown, as 0xAABBGGRR. */
function toExactColors({ layers }: ExportPlan, { palette }: ExportRequest["picture"]): number[] {
  return layers
    .flatMap(({ layer }) => stopColors(getProduct(layer.id), palette).map(toRgba))
    .filter(([, , , opacity]) => opacity === 255)
    .map(([red, green, blue]) => (red | (green << 8) | (blue << 16) | 0xff00_0000) >>> 0);
}
