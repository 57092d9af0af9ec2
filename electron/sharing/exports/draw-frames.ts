// Draws the frames of an export as sheets.
import { AppError } from "../../../shared/app-error.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import { loadBriefingMap } from "../stills/atlas/load-map.ts";
import type { LayerSource } from "../stills/frames/paint-layers.ts";
import { createSheetComposer } from "../stills/sheet/compose-sheet.ts";
import { toLegend } from "../stills/still-legend.ts";
import type { ExportRequest, ExportSources } from "./export-request.ts";
import { findShowFrom, toFoot, toHead } from "./frame-words.ts";
import type { ExportedFrame, ExportedRevision, ExportPlan } from "./read-frames.ts";

export interface FrameWork {
  readonly plan: ExportPlan;
  readonly frames: readonly ExportedFrame[];
  readonly picture: ExportRequest["picture"];
}

/**
 * Yields the opaque RGBA of each frame, in order. Draws the next one while the caller works on this one.
 * @throws AppError `frame-missing`, `stored-data-invalid`; the signal's reason
 */
export async function* drawFrames(
  { plan, frames, picture }: FrameWork,
  sources: ExportSources,
): AsyncGenerator<Uint8Array> {
  const { palette, view } = picture;
  const heads = frames.map((frame) => toHead(frame, plan));
  const composer = await createSheetComposer({
    map: await loadBriefingMap(sources.mapFile),
    size: picture,
    view: view ?? plan.bounds,
    foot: toFoot(plan, palette),
    heads,
  });
  const draw = async (index: number): Promise<Uint8Array> => {
    const frame = frames[index]!;
    const layers = "gap" in frame ? [] : await readLayers(frame.revision, { plan, palette }, sources);
    return composer.compose(heads[index]!, layers);
  };
  let next = draw(0);
  for (let index = 0; index < frames.length; index++) {
    sources.signal.throwIfAborted();
    const rgba = await next;
    if (index + 1 < frames.length) {
      next = draw(index + 1);
      // Its failure is thrown in its turn, or not at all if the caller has stopped.
      next.catch(() => undefined);
    }
    yield rgba;
    sources.onProgress?.(index + 1, frames.length);
  }
}

async function readLayers(
  { layers, sequence }: ExportedRevision,
  { plan, palette }: { readonly plan: ExportPlan; readonly palette: ExportRequest["picture"]["palette"] },
  { frames }: ExportSources,
): Promise<LayerSource[]> {
  return Promise.all(
    layers.map(async ({ layer, frameId, bounds }) => {
      const png = await frames.read(frameId);
      if (!png) {
        const message = `The frame of ${layer.id} of revision ${sequence} is missing.`;
        throw new AppError("frame-missing", message, { context: { frameId } });
      }
      const product = getProduct(layer.id);
      const { isOurs } = toLegend(layer, product);
      const showFrom = isOurs ? findShowFrom(layer.id, plan) : undefined;
      return { png, bounds, product, palette: isOurs ? palette : "published", showFrom };
    }),
  );
}
