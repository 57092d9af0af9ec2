// Writes a loop as an animated WebP, without a loss.
import { clearUnchanged } from "../../../shared/animations/changed-pixels.ts";
import {
  toWebpFrame,
  toWebpHead,
  toWebpLength,
  toWebpTail,
  webpLengthPosition,
} from "../../../shared/animations/webp-writer.ts";
import { drawLoop } from "./draw-loop.ts";
import type { ExportRequest, WriteExport } from "./export-request.ts";
import { describeFile, toXmp } from "./file-texts.ts";
import { readExportPlan } from "./read-frames.ts";
import { stageFiles } from "./staged-files.ts";

export const writeWebpFile: WriteExport = async (request, sources) => {
  const plan = await readExportPlan(request, sources);
  const { picture, out } = request;
  const parts: Uint8Array[] = [toWebpHead(picture)];
  return stageFiles(sources.signal, async (files) => {
    for await (const { pixels, before, durationMs } of drawLoop(plan, request, sources)) {
      const changed = pixels.slice();
      if (before) clearUnchanged(changed, before);
      const still = await compress(changed, picture);
      const frame = { durationMs: Math.round(durationMs), isOver: before !== undefined };
      parts.push(toWebpFrame(still, picture, frame));
    }
    const xmp = new TextEncoder().encode(toXmp(describeFile(plan, plan.revisions)));
    const file = Buffer.concat([...parts, toWebpTail(xmp)]);
    file.set(toWebpLength(file.length), webpLengthPosition);
    const revisionIds = plan.revisions.map(({ revisionId }) => revisionId);
    await files.add(out, file, { revisionIds, order: 0 });
  });
};

async function compress(
  pixels: Uint32Array<ArrayBuffer>,
  { widthPx, heightPx }: ExportRequest["picture"],
): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import("sharp");
  const raw = { width: widthPx, height: heightPx, channels: 4 } as const;
  const still = await sharp(new Uint8Array(pixels.buffer), { raw })
    .webp({ lossless: true, effort: 2 })
    .toBuffer();
  return new Uint8Array(still);
}
