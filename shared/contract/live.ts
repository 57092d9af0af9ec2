// The live feed that a person starts and stops in the viewer: its source, and its state on this host.
import * as z from "zod";
import { EventId } from "./primitives.ts";

/** Source of a live feed, in the command line's syntax: `noaa`, `bucket:URL`, `folder:DIR`, `mirror:URL`. */
export const LiveSource = z
  .string()
  .max(2_048)
  .regex(/^(?:noaa$|(?:bucket|folder|mirror):)/);
export type LiveSource = z.infer<typeof LiveSource>;

export const LiveInput = z.strictObject({ source: LiveSource });
export type LiveInput = z.infer<typeof LiveInput>;

export const LiveState = z.object({
  /** `failed`: the feed of the last run could not start again. Its health while it runs is in `/app/feeds`. */
  status: z.enum(["off", "on", "failed"]),
  /** The current source, or the last one; null before the first start, and for one of the command line. */
  source: LiveSource.nullable(),
  /** Event that the source fills, also while the feed is off; null without a source and for a mirror of many events. */
  eventId: EventId.nullable(),
  /** A sentence for a person if the status is `failed`. */
  problem: z.string().nullable(),
  /** True if the command line started the feed; it cannot be changed then. */
  isConfigured: z.boolean(),
});
export type LiveState = z.infer<typeof LiveState>;
