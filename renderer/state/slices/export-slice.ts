// How does the person want pictures and loops that leave the viewer?
import type { StateCreator } from "zustand";

export const sheetSizeNames = ["1080p", "4k", "projector", "window"] as const;
/** "projector" is the size of the other display, "window" that of the map on screen. */
export type SheetSizeName = (typeof sheetSizeNames)[number];

export const sheetParts = ["legend", "places", "pins", "ground"] as const;
export type SheetPart = (typeof sheetParts)[number];
/** Without the ground, a picture is transparent where no layer draws. It always has times, disclosure and credits. */
export type SheetIncludes = Readonly<Record<SheetPart, boolean>>;

/** The result of the last save or copy, in a sentence for a person. */
export interface ExportReport {
  readonly kind: "working" | "done" | "failed";
  readonly words: string;
}

export interface ExportSlice {
  readonly sheetSize: SheetSizeName;
  readonly sheetIncludes: SheetIncludes;
  /** Undefined before the first, and after it was shown for a while. */
  readonly exportReport: ExportReport | undefined;
  readonly setExportReport: (report: ExportReport | undefined) => void;
  readonly setSheetSize: (size: SheetSizeName) => void;
  readonly setSheetPart: (part: SheetPart, isIncluded: boolean) => void;
}

export const createExportSlice: StateCreator<ExportSlice, [], [], ExportSlice> = (set) => ({
  sheetSize: "window",
  sheetIncludes: { legend: true, places: true, pins: true, ground: true },
  exportReport: undefined,

  setExportReport: (exportReport) => {
    set({ exportReport });
  },

  setSheetSize: (sheetSize) => {
    set({ sheetSize });
  },

  setSheetPart: (part, isIncluded) => {
    set(({ sheetIncludes }) => ({ sheetIncludes: { ...sheetIncludes, [part]: isIncluded } }));
  },
});
