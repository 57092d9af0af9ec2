// The step rule, pure: which picture may be on screen for a scene, given which frames can be drawn. A picture is whole:
// its layers are of one revision, and they change together or not at all.
import type { ProductId } from "../../shared/contract/index.ts";
import type { DrawnPicture, FrameRef, Scene } from "./scene.ts";

/** "ready": can be drawn in the next repaint. "failed": could not be loaded; it holds nothing up. */
export type FrameReadiness = "ready" | "failed" | "pending";

export interface PictureLayer {
  readonly id: ProductId;
  readonly frame: FrameRef | undefined;
  /** Whether the layer was visible when the picture was chosen; such a layer is drawn with all the others or not at all. */
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
 * The picture to show from now on: the scene's when all its visible frames are ready or failed, else `current`, unless that
 * is of another event.
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

/** One layer to draw. */
export interface DrawLayer {
  readonly id: ProductId;
  readonly frame: FrameRef;
  readonly opacity: number;
}

/** What to draw of a picture under the scene's visibility, order and opacity; empty while a required frame is not on the GPU. */
export function layersToDraw(
  picture: Picture | undefined,
  scene: Scene,
  isResident: (imageUrl: string) => boolean,
): DrawLayer[] {
  if (!picture) return [];
  const draw: DrawLayer[] = [];
  for (const { id, visible, opacity } of scene.layers) {
    const layer = picture.layers.find((candidate) => candidate.id === id);
    if (!visible || !layer?.frame || layer.failed) continue;
    if (isResident(layer.frame.imageUrl)) draw.push({ id, frame: layer.frame, opacity });
    else if (layer.required) return [];
  }
  return draw;
}

/** What is on screen once `drawn` of `picture` is painted. */
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
  return { eventId, sequence, layers: drawn.map(({ id }) => id), failed };
}

export function isSameDrawnPicture(a: DrawnPicture | undefined, b: DrawnPicture | undefined): boolean {
  if (!a || !b) return a === b;
  return (
    a.eventId === b.eventId &&
    a.sequence === b.sequence &&
    a.layers.join() === b.layers.join() &&
    a.failed.join() === b.failed.join()
  );
}

/** The frames a scene asks for: those that its step waits for, and those wanted soon, most urgent first, none twice. */
export interface FrameWishes {
  readonly required: readonly FrameRef[];
  readonly soon: readonly FrameRef[];
}

export function wishesOf(scene: Scene): FrameWishes {
  const shown = scene.sequence === undefined ? [] : scene.layers;
  const seen = new Set<string>();
  const unseen = (frame: FrameRef | undefined): frame is FrameRef => {
    if (!frame || seen.has(frame.imageUrl)) return false;
    seen.add(frame.imageUrl);
    return true;
  };
  const required = shown
    .filter(({ visible }) => visible)
    .map(({ frame }) => frame)
    .filter(unseen);
  const soon = scene.prefetch.filter(unseen);
  // A hidden layer's frame comes last: it makes showing the layer quick, when there is room.
  const hidden = shown
    .filter(({ visible }) => !visible)
    .map(({ frame }) => frame)
    .filter(unseen);
  return { required, soon: [...soon, ...hidden] };
}
