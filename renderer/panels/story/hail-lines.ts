// The sizes of hail that forecasters watch for: severe and significant.
import type { Threshold } from "../../state/story/first-reached.ts";
import { getProduct } from "../../../shared/products/registry.ts";

export const hailLines: readonly Threshold[] = getProduct("mrms-mesh")
  .stops.filter(({ threshold }) => threshold)
  .map(({ from }) => ({ id: "mrms-mesh", from }));
