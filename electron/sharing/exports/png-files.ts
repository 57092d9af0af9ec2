// Writes pictures: a PNG a revision, without a loss, with what it shows in its texts too.
import { basename, dirname, extname, join } from "node:path";
import { streamPng } from "../../platform/png/write.ts";
import { mostStillsAtOnce } from "../briefings/briefing-limits.ts";
import { drawFrames } from "./draw-frames.ts";
import type { WriteExport } from "./export-request.ts";
import { describeFile, toPngTexts } from "./file-texts.ts";
import { readExportPlan } from "./read-frames.ts";
import { stageFiles } from "./staged-files.ts";

/** Stands for the sequence in the name of a file. */
const sequenceMark = "{sequence}";

export const writePngFiles: WriteExport = async (request, sources) => {
  const plan = await readExportPlan(request, sources);
  const { picture, out } = request;
  const frames = plan.revisions.map((revision) => ({ revision }));
  return stageFiles(sources.signal, async (files) => {
    const encoding = new Set<Promise<void>>();
    const encode = async (rgba: Uint8Array, index: number): Promise<void> => {
      const { revision } = frames[index]!;
      const texts = toPngTexts(describeFile(plan, [revision]));
      const png = await encodePicture(rgba, picture, texts);
      const path = toPath(out, revision.sequence, frames.length);
      await files.add(path, png, { revisionIds: [revision.revisionId], order: index });
    };
    let count = 0;
    try {
      for await (const rgba of drawFrames({ plan, frames, picture }, sources)) {
        const work = encode(rgba, count++).finally(() => encoding.delete(work));
        encoding.add(work);
        if (encoding.size >= mostStillsAtOnce) await Promise.race(encoding);
      }
      await Promise.all(encoding);
    } finally {
      // A file that is still being written must not appear after the failure.
      await Promise.allSettled(encoding);
    }
  });
};

/** Returns the path of one of several pictures: the sequence takes the place of the mark, or ends the name. */
export function toPath(out: string, sequence: number, count: number): string {
  if (basename(out).includes(sequenceMark)) {
    return join(dirname(out), basename(out).replaceAll(sequenceMark, String(sequence)));
  }
  if (count === 1) return out;
  const extension = extname(out);
  return join(dirname(out), `${basename(out, extension)}-${sequence}${extension}`);
}

function encodePicture(
  rgba: Uint8Array,
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
  texts: ReturnType<typeof toPngTexts>,
): Promise<Uint8Array> {
  return streamPng({
    ...{ widthPx, heightPx, texts },
    bitDepth: 8,
    colorType: "rgb",
    level: 4,
    writeScanline(row, line) {
      line[0] = 0;
      let from = row * widthPx * 4;
      for (let at = 1; at < line.length; from += 4) {
        line[at++] = rgba[from]!;
        line[at++] = rgba[from + 1]!;
        line[at++] = rgba[from + 2]!;
      }
    },
  });
}
