// The data status report: the source asset of each product that was discovered last, in any event. Field names are
// snake_case on the wire.
import * as z from "zod";
import { Instant, ProductId } from "./primitives.ts";

export const AssetStatus = z
  .enum(["discovered", "queued", "processing", "complete", "failed"])
  .meta({ id: "AssetStatus" });
export type AssetStatus = z.infer<typeof AssetStatus>;

export const DataProductStatus = z
  .object({
    product_id: ProductId,
    status: AssetStatus,
    observed_at: Instant.nullable(),
    completed_at: Instant.nullable(),
    error_message: z.string().nullable(),
  })
  .meta({ id: "DataProductStatus" });
export type DataProductStatus = z.infer<typeof DataProductStatus>;

export const DataServiceStatus = z
  .object({
    service: z.literal("storm-data"),
    generatedAt: Instant,
    products: z.array(DataProductStatus),
  })
  .meta({ id: "DataServiceStatus" });
export type DataServiceStatus = z.infer<typeof DataServiceStatus>;
