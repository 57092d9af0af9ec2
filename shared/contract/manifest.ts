// A revision's manifest: its layers, their frames and legends, and the times of observation.
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
    /** An absolute URI: the file's URL, or the RFC 6920 name of a local file. */
    sourceUrl: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9+.-]*:/)
      .meta({ format: "uri" }),
    unit: z.string(),
    visible: z.boolean(),
  })
  .meta({ id: "MrmsLayer" });
export type MrmsLayer = z.infer<typeof MrmsLayer>;

/** Common fields of manifests and lists of revisions. */
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
