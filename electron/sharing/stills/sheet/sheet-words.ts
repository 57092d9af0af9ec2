// All words on a sheet, the picture of a view with its times, legends and sources.
import type { Legend } from "../still-legend.ts";

export interface SheetFact {
  readonly caption: string;
  readonly value: string;
  readonly detail?: string | undefined;
  /** True for a picture that was replaced since. */
  readonly isWarning?: boolean | undefined;
}

export type NoteTone = "plain" | "warning" | "bad" | "synthetic" | "replay";

export interface SheetNote {
  readonly text: string;
  readonly tone: NoteTone;
}

/** The part of a sheet that differs from frame to frame of a loop. */
export interface SheetHead {
  readonly title: string;
  /** The same captions in the same order for all frames of a loop. */
  readonly facts: readonly SheetFact[];
  readonly notes: readonly SheetNote[];
  /** Text in the middle of the map, for a time without a picture. */
  readonly message?: string | undefined;
}

export interface SheetLegend {
  readonly label: string;
  readonly legend: Legend;
  /** Lower edge of the first class drawn; undefined draws all. */
  readonly showFrom: number | undefined;
}

export interface SheetFoot {
  readonly legends: readonly SheetLegend[];
  readonly disclosure: string;
  /** For a sheet without room for the whole. */
  readonly shortDisclosure: string;
  readonly credits: string;
}
