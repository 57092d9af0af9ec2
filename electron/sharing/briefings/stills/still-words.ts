// All words on a still.
import type { Legend } from "../../stills/still-legend.ts";

export interface StillWords {
  /** Label of the event. */
  readonly title: string;
  /** Label of the layer. */
  readonly product: string;
  readonly observedAt: string;
  readonly publishedAt: string;
  readonly sequence: number;
  readonly latestSequence: number;
  /** `correction` or `superseded by 3`, for instance; undefined for a new revision. */
  readonly lateness: string | undefined;
  readonly legend: Legend;
  /** Warning in capitals. */
  readonly tag: string;
  readonly caveat: string;
  readonly attribution: string;
  /** Mark of an event that is synthetic or replayed. */
  readonly mark: string | undefined;
  /** Text in the middle of an empty map. */
  readonly emptiness: string | undefined;
  readonly hasCoverage: boolean;
  /** Pixel on the map and text of the highest value. */
  readonly highest: { readonly x: number; readonly y: number; readonly text: string } | undefined;
}
