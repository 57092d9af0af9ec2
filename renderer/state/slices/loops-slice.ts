// Which loop is being saved, how far is it, and what became of the last one?
import type { StateCreator } from "zustand";

export const loopFormats = ["mp4", "webm", "gif", "webp"] as const;
export type LoopFormat = (typeof loopFormats)[number];

/** A loop that is being saved. */
export interface LoopSaving {
  readonly fileName: string;
  readonly eventId: string;
  /** Highest sequence of the event when saving began. */
  readonly newest: number;
  readonly done: number;
  readonly total: number;
  /** Undefined until it can be told. */
  readonly leftMs: number | undefined;
  /** The size that the file will have, as far as it can be told. */
  readonly expectedBytes: number;
}

export type LoopOutcome =
  | {
      readonly kind: "saved";
      readonly fileName: string;
      readonly eventId: string;
      readonly newest: number;
      readonly byteLength: number;
    }
  | { readonly kind: "failed"; readonly problem: string };

export interface LoopsSlice {
  readonly loopFormat: LoopFormat;
  readonly loopSaving: LoopSaving | undefined;
  /** Undefined once dismissed, and while a loop is being saved. */
  readonly loopOutcome: LoopOutcome | undefined;
  /** Bits of a pixel in the loop saved last in each format: the next one is expected to need as many. */
  readonly loopBits: Readonly<Partial<Record<LoopFormat, number>>>;
  readonly setLoopFormat: (format: LoopFormat) => void;
  readonly setLoopSaving: (saving: LoopSaving | undefined) => void;
  readonly setLoopOutcome: (outcome: LoopOutcome | undefined) => void;
  readonly setLoopBits: (format: LoopFormat, bitsPerPixel: number) => void;
}

export const createLoopsSlice: StateCreator<LoopsSlice, [], [], LoopsSlice> = (set) => ({
  loopFormat: "mp4",
  loopSaving: undefined,
  loopOutcome: undefined,
  loopBits: {},

  setLoopFormat: (loopFormat) => {
    set({ loopFormat });
  },

  setLoopSaving: (loopSaving) => {
    set({ loopSaving });
  },

  setLoopOutcome: (loopOutcome) => {
    set({ loopOutcome });
  },

  setLoopBits: (format, bitsPerPixel) => {
    set(({ loopBits }) => ({ loopBits: { ...loopBits, [format]: bitsPerPixel } }));
  },
});
