// The catalog of well-known U.S. hail events: windows that a person registers by one name.
import * as z from "zod";
import { Bounds, EventId, Instant } from "./primitives.ts";

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

/** An entry of the catalog itself, with where it was on the map and where each fact comes from. */
export const KnownEventEntry = KnownEvent.extend({
  /** Drawn by us around the places that the sources name; the window likewise around the times. */
  bounds: Bounds,
  sources: z.array(z.object({ fact: z.string().min(1), url: z.url({ protocol: /^https?$/ }) })).min(1),
});
export type KnownEventEntry = z.infer<typeof KnownEventEntry>;
