// Everything that a still says in words.
import type { Legend } from "../briefing-legend.ts";

export interface StillWords {
  /** Of the event. */
  readonly title: string;
  /** Of the layer. */
  readonly product: string;
  readonly observedAt: string;
  readonly publishedAt: string;
  readonly sequence: number;
  readonly latestSequence: number;
  /** `correction`, `superseded by 3` and the like; undefined for a revision that is simply new. */
  readonly lateness: string | undefined;
  readonly legend: Legend;
  /** A few capitals: what the picture is not. */
  readonly tag: string;
  readonly caveat: string;
  readonly attribution: string;
  /** Of an event that did not happen, or not now. */
  readonly mark: string | undefined;
  /** Said in the middle of the map where nothing is drawn. */
  readonly emptiness: string | undefined;
  readonly hasCoverage: boolean;
  /** Where on the map, in its pixels, the highest value lies, and what it is. */
  readonly highest: { readonly x: number; readonly y: number; readonly text: string } | undefined;
}
