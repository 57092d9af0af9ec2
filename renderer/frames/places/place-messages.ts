// Messages between the page and a place worker. Both ends are built together, so they are not parsed.
import type { Bounds, Coordinate } from "../../../shared/contract/index.ts";
import type { PlaceReadings } from "./read-places.ts";

/** Places to read in one frame. */
export interface PlacesOfFrame {
  readonly imageUrl: string;
  readonly bounds: Bounds;
  readonly places: readonly Coordinate[];
}

/** A list of frames to read, which replaces the list before it. */
export interface PlacePost {
  readonly list: number;
  readonly frames: readonly PlacesOfFrame[];
}

/** The readings of the frame's places in their order, or why it cannot be read, in a sentence for a person. */
export type FrameAnswer = { readonly readings: readonly PlaceReadings[] } | { readonly problem: string };

/** One for each frame of the list, in its order. */
export interface PlaceReply {
  readonly list: number;
  readonly index: number;
  readonly answer: FrameAnswer;
}
