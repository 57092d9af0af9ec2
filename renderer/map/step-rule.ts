// The step rule: which picture may be on screen for a scene, given which frames can be drawn. Pure. A picture is
// whole: its layers belong to one revision and change together or not at all.
import type { ProductId } from "../../shared/contract/index.ts";
import type { FrameRef } from "../frames/frame-ref.ts";
import type { Coloring, DrawnPicture, Scene, SwipeSide } from "./scene.ts";

/** "ready" frames can be drawn in the next repaint. "failed" ones could not be loaded, and no step waits for them. */
export type FrameReadiness = "ready" | "failed" | "pending";

export interface PictureLayer {
  readonly id: ProductId;
  readonly frame: FrameRef | undefined;
  /** True if the layer was visible when the picture was chosen. Required layers are drawn together or not at all. */
  readonly required: boolean;
  readonly failed: boolean;
}

export interface Picture {
  readonly eventId: string;
  readonly sequence: number;
  /** In drawing order, bottom first. */
  readonly layers: readonly PictureLayer[];
}

/**
 * Returns the scene's picture if all its visible frames are ready or failed; otherwise `current`, if of the same
 * event.
 */
export function nextPicture(
  current: Picture | undefined,
  scene: Scene,
  readinessOf: (imageUrl: string) => FrameReadiness,
): Picture | undefined {
  const { eventId, sequence } = scene;
  if (eventId === undefined || sequence === undefined) return undefined;
  const layers: PictureLayer[] = [];
  for (const { id, frame, visible } of scene.layers) {
    const readiness = frame && readinessOf(frame.imageUrl);
    if (visible && readiness === "pending") return current?.eventId === eventId ? current : undefined;
    layers.push({ id, frame, required: visible, failed: visible && readiness === "failed" });
  }
  return { eventId, sequence, layers };
}

/** One layer or overlay to draw. */
export interface DrawLayer {
  /** The product of a layer, or the id of an overlay. */
  readonly id: string;
  /** Undefined for an overlay. */
  readonly product: ProductId | undefined;
  readonly frame: FrameRef;
  readonly opacity: number;
  readonly coloring: Coloring;
  readonly side: SwipeSide | undefined;
}

/** The frame that each overlay had on screen last, by its id. */
export type ShownOverlays = ReadonlyMap<string, FrameRef>;

/**
 * Returns the picture's layers in the scene's visibility, order, opacity and colors, with the overlays among them;
 * empty until all required frames are on the GPU.
 */
export function layersToDraw(
  picture: Picture | undefined,
  scene: Scene,
  shown: ShownOverlays,
  isResident: (imageUrl: string) => boolean,
): DrawLayer[] {
  if (!picture) return [];
  const overlays = overlaysToDraw(picture, scene, shown, isResident);
  const over = (product: ProductId | undefined): DrawLayer[] =>
    overlays.filter((overlay) => overlay.over === product).map(({ layer }) => layer);
  const draw = over(undefined);
  for (const { id, visible, opacity, coloring, side } of scene.layers) {
    const layer = picture.layers.find((candidate) => candidate.id === id);
    if (visible && layer?.frame && !layer.failed) {
      if (isResident(layer.frame.imageUrl)) {
        draw.push({ id, product: id, frame: layer.frame, opacity, coloring, side });
      } else if (layer.required) return [];
    }
    draw.push(...over(id));
  }
  return draw;
}

interface PlacedOverlay {
  readonly over: ProductId | undefined;
  readonly layer: DrawLayer;
}

/** An overlay that does not stay belongs to the scene's picture: over an earlier one it would lie. */
function overlaysToDraw(
  picture: Picture,
  { overlays, sequence }: Scene,
  shown: ShownOverlays,
  isResident: (imageUrl: string) => boolean,
): PlacedOverlay[] {
  return overlays.flatMap(({ id, frame: wanted, opacity, coloring, over, side, stays }) => {
    if (!stays && picture.sequence !== sequence) return [];
    const last = stays ? shown.get(id) : undefined;
    const frame = [wanted, last].find((candidate) => candidate && isResident(candidate.imageUrl));
    return frame ? [{ over, layer: { id, product: undefined, frame, opacity, coloring, side } }] : [];
  });
}

/** Returns what is on screen once the layers `drawn` of `picture` are painted. */
export function toDrawnPicture(
  picture: Picture | undefined,
  scene: Scene,
  drawn: readonly DrawLayer[],
): DrawnPicture | undefined {
  if (!picture) return undefined;
  const { eventId, sequence } = picture;
  const isVisible = (id: ProductId): boolean =>
    scene.layers.some((layer) => layer.id === id && layer.visible);
  const failed = picture.layers.filter((layer) => layer.failed && isVisible(layer.id)).map(({ id }) => id);
  const layers = drawn.flatMap(({ product }) => product ?? []);
  const overlays = drawn.filter(({ product }) => product === undefined);
  const urls = Object.fromEntries(overlays.map(({ id, frame }) => [id, frame.imageUrl]));
  return { eventId, sequence, layers, failed, overlays: urls };
}

export function isSameDrawnPicture(a: DrawnPicture | undefined, b: DrawnPicture | undefined): boolean {
  if (!a || !b) return a === b;
  return (
    a.eventId === b.eventId &&
    a.sequence === b.sequence &&
    a.layers.join() === b.layers.join() &&
    a.failed.join() === b.failed.join() &&
    isSameOverlays(a.overlays, b.overlays)
  );
}

function isSameOverlays(a: DrawnPicture["overlays"], b: DrawnPicture["overlays"]): boolean {
  const ids = Object.keys(a);
  return ids.length === Object.keys(b).length && ids.every((id) => a[id] === b[id]);
}

/**
 * The frames that a scene needs: those that its step waits for, and those wanted soon, most urgent first. No
 * duplicates.
 */
export interface FrameWishes {
  readonly required: readonly FrameRef[];
  readonly soon: readonly FrameRef[];
}

export function wishesOf(scene: Scene): FrameWishes {
  const shown = scene.sequence === undefined ? [] : scene.layers;
  const seen = new Set<string>();
  const unseen = ({ imageUrl }: FrameRef): boolean => !seen.has(imageUrl) && seen.add(imageUrl).has(imageUrl);
  const framesOf = (isVisible: boolean): FrameRef[] =>
    shown.filter(({ visible }) => visible === isVisible).flatMap(({ frame }) => frame ?? []);
  const required = framesOf(true).filter(unseen);
  const overlays = scene.overlays.map(({ frame }) => frame);
  // The frames of hidden layers come last: they make showing such a layer quick, if there is room.
  return { required, soon: [...overlays, ...scene.prefetch, ...framesOf(false)].filter(unseen) };
}
