// The catalog of well-known U.S. hail events: windows that a person registers by name.
import * as z from "zod";
import { Bounds, EventId, Instant } from "./primitives.ts";

export const KnownEvent = z.object({
  /** Also the id of the registered event. */
  name: EventId,
  label: z.string().min(1),
  startedAt: Instant,
  endedAt: Instant,
  /** Region in words: `North Texas`. */
  area: z.string().min(1),
  /** One sentence about the event. */
  summary: z.string(),
});
export type KnownEvent = z.infer<typeof KnownEvent>;

/** A catalog entry with its bounds and the source of each fact. */
export const KnownEventEntry = KnownEvent.extend({
  /** Our own bounds around the places that the sources name; likewise the window around the times. */
  bounds: Bounds,
  sources: z.array(z.object({ fact: z.string().min(1), url: z.url({ protocol: /^https?$/ }) })).min(1),
});
export type KnownEventEntry = z.infer<typeof KnownEventEntry>;
