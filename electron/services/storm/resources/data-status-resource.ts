// The data status report: the source asset of each product that was discovered last, across all events. After a late
// arrival it is not the newest observation.
import type { DataProductStatus } from "../../../../shared/contract/data-status.ts";
import type { AssetRecord } from "../../../catalog/catalog.ts";
import type { Handler } from "../request-input.ts";
import { createListing } from "../listing.ts";
import type { RequestCatalog } from "../turn-catalog.ts";

export function createDataStatus(catalog: RequestCatalog, now: () => Date): Handler<"getDataStatus"> {
  const list = createListing(now, (assets: readonly AssetRecord[]) => ({
    head: { service: "storm-data" },
    itemsName: "products",
    itemsJson: JSON.stringify(toProducts(assets)),
  }));
  return async () => list(await catalog.listNewestAssets());
}

function toProducts(assets: readonly AssetRecord[]): DataProductStatus[] {
  const known = assets.filter(({ productId }) => productId !== undefined);
  const products = known.map(({ productId, status, observedAt, completedAt, errorMessage, locator }) => ({
    product_id: productId!,
    status,
    observed_at: observedAt ?? null,
    completed_at: completedAt ?? null,
    error_message: errorMessage === undefined ? null : withoutLocator(errorMessage, locator),
  }));
  return products.sort((a, b) => (a.product_id < b.product_id ? -1 : 1));
}

/** Replaces a locator, which may be a local path, with its file name. */
function withoutLocator(message: string, locator: string): string {
  return locator === "" ? message : message.replaceAll(locator, locator.replace(/^.*[/\\]/, ""));
}
