// The query and the answer of a place search.
import * as z from "zod";
import { Coordinate } from "./primitives.ts";

export const placeProviderId = "place-data";
const Provider = z.literal(placeProviderId);

export const Place = z
  .object({
    id: z.string(),
    label: z.string(),
    context: z.string(),
    coordinate: Coordinate,
    /** Southwest and northeast corners. */
    bounds: z.tuple([Coordinate, Coordinate]).exactOptional(),
    kind: z.string().exactOptional(),
    provider: Provider,
  })
  .meta({ id: "Place" });
export type Place = z.infer<typeof Place>;

export const PlaceSearchResponse = z
  .object({ attribution: z.string(), provider: Provider, results: z.array(Place) })
  .meta({ id: "PlaceSearchResponse" });
export type PlaceSearchResponse = z.infer<typeof PlaceSearchResponse>;

export const placeQueryLength = { min: 2, max: 160 } as const;

/** `q` is counted in code points and is not trimmed. */
export const PlaceQuery = z
  .string()
  .refine((text) => {
    const codePoints = Array.from(text).length;
    return codePoints >= placeQueryLength.min && codePoints <= placeQueryLength.max;
  }, `q must have ${placeQueryLength.min} to ${placeQueryLength.max} characters`)
  .meta({ minLength: placeQueryLength.min, maxLength: placeQueryLength.max });
