// Identifiers, coordinates and instants of the storm specification.
import * as z from "zod";
import { eventIdPattern } from "./identifiers.ts";

/** 1 to 64 lower-case letters, digits and inner hyphens. */
export const EventId = z.string().regex(eventIdPattern).meta({ id: "EventId" });
export type EventId = z.infer<typeof EventId>;

/**
 * An event's label. It is shown on terminals and in lists. A remote's label is only a string in the contract, so every
 * way into the catalog checks it.
 */
export const EventLabel = z
  .string()
  .max(1000, "is longer than 1,000 characters")
  .regex(/\S/, "is empty")
  .regex(
    /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u,
    "has control characters, line breaks or direction marks",
  );

export const RevisionId = z
  .string()
  .regex(/^[A-Za-z0-9TZ-]+$/)
  .meta({ id: "RevisionId" });
export type RevisionId = z.infer<typeof RevisionId>;

export const FrameId = z
  .string()
  .regex(/^[A-Za-z0-9-]+$/)
  .meta({ id: "FrameId" });
export type FrameId = z.infer<typeof FrameId>;

export const productIds = ["mrms-mesh", "mrms-reflectivity"] as const;
export const ProductId = z.enum(productIds).meta({ id: "ProductId" });
export type ProductId = z.infer<typeof ProductId>;

/** An RFC 3339 instant, with `Z` or a numeric offset. Echotop itself always writes `Z`. */
export const Instant = z.iso.datetime({ offset: true }).meta({ id: "Instant", format: "date-time" });
export type Instant = z.infer<typeof Instant>;

export const Longitude = z.number().min(-180).max(180);
export const Latitude = z.number().min(-90).max(90);

/** `[longitude, latitude]` in degrees. */
export const Coordinate = z.tuple([Longitude, Latitude]).meta({ id: "Coordinate" });
export type Coordinate = z.infer<typeof Coordinate>;

/** `[west, south, east, north]` in degrees, the outer edges. */
export const Bounds = z.tuple([Longitude, Latitude, Longitude, Latitude]).meta({ id: "Bounds" });
export type Bounds = z.infer<typeof Bounds>;

/** Order of publication within an event, not of observation: from 1, ascending, never reused. */
export const Sequence = z.int().min(1);
export type Sequence = z.infer<typeof Sequence>;

export const RetentionClass = z.enum(["benchmark", "operational"]).meta({ id: "RetentionClass" });
export type RetentionClass = z.infer<typeof RetentionClass>;

/** The body of every JSON error of the storm service. */
export const ErrorBody = z.object({ message: z.string() }).meta({ id: "Error" });
export type ErrorBody = z.infer<typeof ErrorBody>;
