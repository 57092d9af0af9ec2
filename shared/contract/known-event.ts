// The catalogue of well-known U.S. hail events: windows that a person registers by one name.
import * as z from "zod";
import { EventId, Instant } from "./primitives.ts";

export const KnownEvent = z.object({
  /** Also the id of the event once it is registered. */
  name: EventId,
  label: z.string().min(1),
  startedAt: Instant,
  endedAt: Instant,
  /** Where it was, in words: `North Texas`. */
  area: z.string().min(1),
  /** What it is known for, one sentence. */
  summary: z.string(),
});
export type KnownEvent = z.infer<typeof KnownEvent>;
