// The JSON of the two iTXt chunks in a frame's PNG: the class table, and the radar coverage of the whole grid.
import * as z from "zod";
import { Bounds, ProductId } from "./primitives.ts";

export { frameClassesKeyword, frameCoverageKeyword } from "./frame-format.ts";

/**
 * Palette index 0 draws nothing; index k + 1 means `edges[k] <= value < edges[k + 1]`, the last one without upper
 * limit. A higher index is no class. `edges` are in `unit`, strictly ascending.
 */
export const FrameClasses = z
  .object({
    product: ProductId,
    unit: z.string(),
    edges: z
      .array(z.number())
      .min(1)
      .max(255)
      .refine((edges) => edges.every((edge, at) => at === 0 || edges[at - 1]! < edge), "edges must ascend"),
  })
  .meta({ id: "FrameClasses" });
export type FrameClasses = z.infer<typeof FrameClasses>;

/**
 * One bit per coverage cell (1 = inside radar coverage), row-major from the north-west corner, most significant bit
 * first, no padding between rows; zlib-deflated, then base64. `bounds` are the outer edges of the coverage grid.
 */
export const FrameCoverage = z
  .object({
    bounds: Bounds,
    width: z.int().min(1).max(36_000),
    height: z.int().min(1).max(18_000),
    bits: z.base64(),
  })
  .meta({ id: "FrameCoverage" });
export type FrameCoverage = z.infer<typeof FrameCoverage>;
