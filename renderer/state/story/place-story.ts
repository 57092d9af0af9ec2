// The story of a place: for each known window and layer a class, or one of the kinds of nothing. Pure.
import {
  findLayerIds,
  findLayerOf,
  groupByWindow,
  toStandingLayers,
} from "../../../shared/analysis/window-layers.ts";
import type { PlaceReading } from "../../../shared/analysis/place-reading.ts";
import type { MrmsLayer, ProductId } from "../../../shared/contract/index.ts";
import type { Revision } from "../timeline/revisions.ts";
import type { ReadingsOfPlace, StoryReach } from "../slices/story-slice.ts";

export type StoryCell =
  | PlaceReading
  | { readonly kind: "not-delivered" }
  /** `message` is a sentence for a person. */
  | { readonly kind: "failed"; readonly message: string }
  /** Not read yet. */
  | { readonly kind: "reading" };

/** A layer of a window at the place. */
export interface StoryLayer {
  readonly id: ProductId;
  readonly cell: StoryCell;
  readonly observedAt: string;
  /** The revision since which the layer has stood as it is. */
  readonly since: Revision;
  /** The class that stood there before a correction; undefined if the layer was never replaced. */
  readonly before: StoryCell | undefined;
}

export interface StoryWindow {
  /** Number of the observation window. */
  readonly window: number;
  readonly observedAt: string;
  /** The window's newest revision. */
  readonly newest: Revision;
  readonly layers: readonly StoryLayer[];
}

export interface PlaceStory {
  /** In manifest order. */
  readonly ids: readonly ProductId[];
  /** Ascending. */
  readonly windows: readonly StoryWindow[];
  /** Windows of which every frame is read, whether it could be or not. */
  readonly readCount: number;
}

/** The readings of a place, and which of each frame's two answers is wanted. */
export interface StoryReadings {
  readonly readings: ReadingsOfPlace;
  readonly reach: StoryReach;
}

/** `revisions` are those known, in ascending sequence. */
export function toPlaceStory(revisions: readonly Revision[], wanted: StoryReadings): PlaceStory {
  const versions = new Map(groupByWindow(revisions));
  const layers = Map.groupBy(toStandingLayers(revisions), ({ window }) => window);
  const windows = [...layers].map(([window, standing]): StoryWindow => {
    const own = versions.get(window)!;
    const newest = own.at(-1)!;
    const ofWindow = standing.map(({ id, layer, observedAt, since }): StoryLayer => {
      const before = findReplaced(own, { id, window, layer });
      return {
        id,
        cell: layer ? toCell(layer, wanted) : { kind: "not-delivered" },
        observedAt,
        since,
        before: before && toCell(before, wanted),
      };
    });
    return { window, observedAt: newest.observedAt, newest, layers: ofWindow };
  });
  const readCount = windows.filter(isRead).length;
  return { ids: findLayerIds(revisions), windows, readCount };
}

/** Returns what a frame says of the place. */
export function toCell({ imageUrl }: Pick<MrmsLayer, "imageUrl">, wanted: StoryReadings): StoryCell {
  const reading = wanted.readings.get(imageUrl);
  if (!reading) return { kind: "reading" };
  return "problem" in reading ? { kind: "failed", message: reading.problem } : reading[wanted.reach];
}

function isRead({ layers }: StoryWindow): boolean {
  return layers.every(({ cell, before }) => cell.kind !== "reading" && before?.kind !== "reading");
}

interface StandingFrame {
  readonly id: ProductId;
  readonly window: number;
  readonly layer: MrmsLayer | undefined;
}

/** Returns the layer that stood before the present one was published. */
function findReplaced(
  versions: readonly Revision[],
  { id, window, layer }: StandingFrame,
): MrmsLayer | undefined {
  return versions
    .map((version) => findLayerOf(version, id, window))
    .findLast((other) => other !== undefined && other.imageUrl !== layer?.imageUrl);
}

/** Returns every frame of these revisions, by ascending window and each once, for a reader to go through. */
export function framesOfStory(revisions: readonly Revision[]): MrmsLayer[] {
  const frames = new Map<string, MrmsLayer>();
  const ids = findLayerIds(revisions);
  for (const [window, versions] of groupByWindow(revisions)) {
    for (const id of ids) {
      for (const version of versions) {
        const layer = findLayerOf(version, id, window);
        if (layer) frames.set(layer.imageUrl, layer);
      }
    }
  }
  return [...frames.values()];
}
