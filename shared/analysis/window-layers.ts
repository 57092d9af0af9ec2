// Finds the frame of a layer that stands in each observation window of an event, the revision since which it stands,
// and the windows that lack one.
import { AppError } from "../app-error.ts";
import type { ProductId } from "../contract/primitives.ts";
import { products } from "../products/registry.ts";
import { observationWindow, windowStartAt } from "../revisions/observation-window.ts";

export interface LayerFacts {
  readonly id: ProductId;
  readonly observedAt: string;
  readonly imageUrl: string;
}

/** Lists of these are in ascending sequence. */
export interface RevisionFacts<Layer extends LayerFacts = LayerFacts> {
  readonly sequence: number;
  readonly observedAt: string;
  readonly layers: readonly Layer[];
}

type LayerOf<R> = R extends RevisionFacts<infer Layer> ? Layer : never;

/** A layer of a published window as it stands. */
export interface StandingLayer<R extends RevisionFacts> {
  readonly window: number;
  readonly id: ProductId;
  /** Undefined if the window lacks the layer. */
  readonly layer: LayerOf<R> | undefined;
  /** Time of the layer's observation, or of the window's newest revision if it lacks the layer. */
  readonly observedAt: string;
  /** The revision since which the layer has stood as it is. */
  readonly since: R;
}

/** Returns each known window, ascending, with each layer that any revision has, in manifest order. */
export function toStandingLayers<R extends RevisionFacts>(revisions: readonly R[]): StandingLayer<R>[] {
  const ids = findLayerIds(revisions);
  return groupByWindow(revisions).flatMap(([window, versions]) =>
    ids.map((id) => toStanding(window, versions, id)),
  );
}

/** Returns the layers that any of the revisions has, in manifest order. */
export function findLayerIds(revisions: readonly RevisionFacts[]): ProductId[] {
  const known = new Set(revisions.flatMap(({ layers }) => layers.map(({ id }) => id)));
  return products.map(({ id }) => id).filter((id) => known.has(id));
}

/** Returns the versions of each window, by ascending window, each list in ascending sequence. */
export function groupByWindow<R extends RevisionFacts>(
  revisions: readonly R[],
): [window: number, versions: R[]][] {
  const windows = Map.groupBy(revisions, ({ observedAt }) => observationWindow(observedAt));
  return [...windows].toSorted(([first], [second]) => first - second);
}

function toStanding<R extends RevisionFacts>(
  window: number,
  versions: readonly R[],
  id: ProductId,
): StandingLayer<R> {
  const newest = versions.at(-1)!;
  const layer = findLayerOf(newest, id, window);
  const changed = versions.findLastIndex((version) => !isSameLayer(findLayerOf(version, id, window), layer));
  const since = versions[changed + 1]!;
  return { window, id, layer, observedAt: layer?.observedAt ?? newest.observedAt, since };
}

/** Finds a layer of a revision. A layer of another window, which a manifest may carry, is not one of this window. */
export function findLayerOf<R extends RevisionFacts>(
  { layers }: R,
  id: ProductId,
  window: number,
): LayerOf<R> | undefined {
  return layers.find((layer) => layer.id === id && observationWindow(layer.observedAt) === window) as
    | LayerOf<R>
    | undefined;
}

function isSameLayer(first: LayerFacts | undefined, second: LayerFacts | undefined): boolean {
  return first?.imageUrl === second?.imageUrl && first?.observedAt === second?.observedAt;
}

/** Reason why a two-minute window has no part in a swath. */
export type MissingCause = "not-published" | "not-delivered" | "failed" | "another-grid";

export interface MissingWindow {
  readonly observedAt: string;
  readonly why: MissingCause;
}

/** Times of observation in milliseconds since the Unix epoch, both included. */
export interface ObservedSpan {
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** A window's part in a swath: a layer whose frame is to be used, or what is missing. */
export type SwathWindow<R extends RevisionFacts> =
  | { readonly layer: LayerOf<R>; readonly since: R }
  | { readonly missing: MissingWindow };

/** Returns each known window observed in the span, ascending, as it stands for a layer. */
export function toLayerWindows<R extends RevisionFacts>(
  revisions: readonly R[],
  id: ProductId,
  { fromMs = -Infinity, toMs = Infinity }: ObservedSpan = {},
): StandingLayer<R>[] {
  return groupByWindow(revisions)
    .map(([window, versions]) => toStanding(window, versions, id))
    .filter(({ observedAt }) => Date.parse(observedAt) >= fromMs && Date.parse(observedAt) <= toMs);
}

/** Most windows of one swath, about 139 days: every one that is missing is told. */
export const mostSwathWindows = 100_000;

/**
 * Returns every two-minute window from the first to the last of the known ones, by ascending time. A window that was
 * never published has the time at which it starts.
 * @throws AppError `invalid-input` for more than `mostSwathWindows`
 */
export function toSwathWindows<R extends RevisionFacts>(
  known: readonly StandingLayer<R>[],
): SwathWindow<R>[] {
  checkCount(known);
  return known.flatMap((standing, index) => {
    const previous = known[index - 1]?.window ?? standing.window - 1;
    const gap = Array.from({ length: standing.window - previous - 1 }, (_, step): SwathWindow<R> => {
      const observedAt = toSeconds(windowStartAt(previous + 1 + step));
      return { missing: { observedAt, why: "not-published" } };
    });
    return [...gap, toSwathWindow(standing)];
  });
}

function checkCount(known: readonly StandingLayer<RevisionFacts>[]): void {
  const [first, last] = [known[0], known.at(-1)];
  const count = first && last ? last.window - first.window + 1 : 0;
  if (count <= mostSwathWindows) return;
  const most = mostSwathWindows.toLocaleString("en-US");
  throw new AppError(
    "invalid-input",
    `From ${first!.observedAt} to ${last!.observedAt} are ${count.toLocaleString("en-US")} windows, more than ${most}: choose a shorter time.`,
  );
}

function toSwathWindow<R extends RevisionFacts>({
  layer,
  since,
  observedAt,
}: StandingLayer<R>): SwathWindow<R> {
  return layer ? { layer, since } : { missing: { observedAt, why: "not-delivered" } };
}

/** Instants have a fraction only if needed. */
function toSeconds(instant: string): string {
  return instant.replace(".000Z", "Z");
}
