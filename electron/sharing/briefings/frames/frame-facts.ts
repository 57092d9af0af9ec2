// What a frame says in numbers: its highest class, where that is, and how much ground each step of the legend covers.
import * as z from "zod";

const ClassRange = z.object({
  /** Lower edge in the product's unit, and the upper one; null for the last class, which is open above. */
  from: z.number(),
  to: z.number().nullable(),
});

export type ClassRange = z.infer<typeof ClassRange>;

export const FrameFacts = z.object({
  /** Null where nothing is drawn. */
  highest: ClassRange.extend({ longitude: z.number(), latitude: z.number() }).nullable(),
  /** Of each stop of the product's legend, lowest first: the ground that falls under it alone, in km². */
  stopAreasKm2: z.array(z.number().min(0)),
});
export type FrameFacts = z.infer<typeof FrameFacts>;
