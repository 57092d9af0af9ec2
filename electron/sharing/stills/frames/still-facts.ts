// The numbers of a frame: its highest class, where that is, and the area of each stop of the legend.
import * as z from "zod";

const ClassRange = z.object({
  /** Edges in the product's unit; `to` is null for the last class, which has no upper edge. */
  from: z.number(),
  to: z.number().nullable(),
});
export type ClassRange = z.infer<typeof ClassRange>;

export const FrameFacts = z.object({
  /** Null if nothing is drawn. */
  highest: ClassRange.extend({ longitude: z.number(), latitude: z.number() }).nullable(),
  /** Area in km² of each stop of the product's legend, lowest first. */
  stopAreasKm2: z.array(z.number().min(0)),
});
export type FrameFacts = z.infer<typeof FrameFacts>;
