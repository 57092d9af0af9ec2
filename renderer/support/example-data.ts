// Example layers, histories and events for the viewer's tests.
import type { MrmsHistory, MrmsLayer, ProductId, StormEvent } from "../../shared/contract/index.ts";
import { legendOf } from "../../shared/products/palettes.ts";
import { getProduct } from "../../shared/products/registry.ts";
import { createViewerStore, type ViewerStore } from "../state/store.ts";

export const exampleEventId = "iowa";

export function exampleLayer(id: ProductId, observedAt: string, variant = "a"): MrmsLayer {
  const product = getProduct(id);
  return {
    id,
    bounds: [-100, 36, -90, 46],
    caveat: product.caveat,
    description: product.description,
    imageUrl: `/v1/storm-events/${exampleEventId}/frames/${id}/${observedAt.replace(/\W/g, "")}-${variant}.png`,
    label: product.label,
    legend: legendOf(product),
    observedAt,
    opacity: product.opacity,
    sourceUrl: "ni:///sha-256;f4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk",
    unit: product.unit,
    visible: true,
  };
}

export interface ExampleFrame {
  readonly sequence: number;
  /** Minutes after 2022-07-04 11:00 UTC. */
  readonly minute: number;
  readonly variant?: string;
  readonly only?: ProductId;
}

export function instantOf(minute: number): string {
  return new Date(Date.UTC(2022, 6, 4, 11, minute)).toISOString();
}

export function exampleHistory(frames: readonly ExampleFrame[], latestSequence?: number): MrmsHistory {
  const products: readonly ProductId[] = ["mrms-reflectivity", "mrms-mesh"];
  const latest = latestSequence ?? frames.at(-1)?.sequence;
  return {
    schemaVersion: 1,
    mode: "live",
    attribution: "NOAA/NSSL MRMS",
    disclosure: "Not a warning source.",
    eventId: exampleEventId,
    eventLabel: "Iowa",
    frames: frames.map(({ sequence, minute, variant, only }) => ({
      observedAt: instantOf(minute),
      revisionId: `r${sequence}`,
      sequence,
      layers: products
        .filter((id) => only === undefined || id === only)
        .map((id) => exampleLayer(id, instantOf(minute), variant)),
    })),
    generatedAt: instantOf(600),
    ...(latest !== undefined && { latestSequence: latest }),
  };
}

/** Revisions 1, 2, 3 … of one window each, two minutes apart. */
export function steadyFrames(count: number): ExampleFrame[] {
  return Array.from({ length: count }, (_, index) => ({ sequence: index + 1, minute: index * 2 }));
}

export function exampleEvent(changes: Partial<StormEvent> = {}): StormEvent {
  return {
    id: exampleEventId,
    kind: "historical-event",
    label: "Iowa",
    status: "complete",
    retentionClass: "benchmark",
    startedAt: instantOf(0),
    endedAt: instantOf(58),
    bounds: [-100, 36, -90, 46],
    currentRevisionId: "r30",
    updatedAt: instantOf(60),
    ...changes,
  };
}

/** Creates a store that holds one event with these revisions. */
export function exampleStore(frames: readonly ExampleFrame[]): ViewerStore {
  const store = createViewerStore();
  store.getState().receiveEvents([exampleEvent()]);
  store.getState().receiveHistory(exampleEventId, exampleHistory(frames));
  return store;
}
