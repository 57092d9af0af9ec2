// A revision's manifest: what is on the map, when it was seen, where its frames are and how to read them.
import * as z from "zod";
import { Bounds, Instant, ProductId, Sequence } from "./primitives.ts";

export const LegendStop = z.object({ color: z.string(), label: z.string() }).meta({ id: "LegendStop" });
export type LegendStop = z.infer<typeof LegendStop>;

export const MrmsLayer = z
  .object({
    bounds: Bounds,
    caveat: z.string(),
    description: z.string(),
    id: ProductId,
    imageUrl: z.string(),
    label: z.string(),
    legend: z.array(LegendStop),
    observedAt: Instant,
    opacity: z.number().min(0).max(1),
    sourceLastModified: Instant.exactOptional(),
    /** An absolute URI: the URL the file came from, or the RFC 6920 name of a local file. */
    sourceUrl: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9+.-]*:/)
      .meta({ format: "uri" }),
    unit: z.string(),
    visible: z.boolean(),
  })
  .meta({ id: "MrmsLayer" });
export type MrmsLayer = z.infer<typeof MrmsLayer>;

/** What a manifest and a list of revisions both begin with. */
export const mrmsPreamble = {
  schemaVersion: z.literal(1),
  mode: z.literal("live"),
  attribution: z.string(),
  disclosure: z.string(),
  eventId: z.string().exactOptional(),
};

export const MrmsManifest = z
  .object({
    ...mrmsPreamble,
    revisionId: z.string().exactOptional(),
    sequence: Sequence.exactOptional(),
    generatedAt: Instant,
    layers: z.array(MrmsLayer).min(1),
  })
  .meta({ id: "MrmsManifest" });
export type MrmsManifest = z.infer<typeof MrmsManifest>;
