// The answers of the analysis commands by their definitions: loops over revisions and cells.
import type { NaivePlane } from "./naive-cells.ts";

export interface NaiveLayer {
  readonly id: string;
  readonly observedAt: string;
  readonly frameId: string;
  readonly bounds: readonly number[];
}

export interface NaiveRevision {
  readonly sequence: number;
  readonly revisionId: string;
  readonly observedAt: string;
  readonly publishedAt: string;
  readonly layers: readonly NaiveLayer[];
}

/** Returns a frame's plane; undefined for one that cannot be read. */
export type GetPlane = (frameId: string) => NaivePlane | undefined;

const layerOrder = ["mrms-reflectivity", "mrms-mesh"];
const toWindow = (observedAt: string): number => Math.floor(Date.parse(observedAt) / 120_000);

/** Returns the highest revision of each window, by ascending window. */
export function naiveKnown(revisions: readonly NaiveRevision[]): NaiveRevision[] {
  const windows = [...new Set(revisions.map(({ observedAt }) => toWindow(observedAt)))].sort((a, b) => a - b);
  return windows.map((window) =>
    revisions
      .filter(({ observedAt }) => toWindow(observedAt) === window)
      .reduce((highest, revision) => (revision.sequence > highest.sequence ? revision : highest)),
  );
}

export function toKnownLine({
  observedAt,
  publishedAt,
  revisionId,
  sequence,
  layers,
}: NaiveRevision): unknown {
  const lines = layers.map(({ id, observedAt: at, frameId }) => ({ id, observedAt: at, frameId }));
  return { observedAt, publishedAt, revisionId, sequence, layers: lines };
}

type Pair = [lower: number, upper: number | null];
const toPair = (edges: readonly number[], index: number): Pair | null =>
  index === 0 ? null : [edges[index - 1]!, edges[index] ?? null];

/** Returns the fields after `to`; undefined for planes that cannot be compared. */
export function naiveDifference(
  before: NaivePlane | undefined,
  after: NaivePlane | undefined,
): object | undefined {
  if (!before || !after) return undefined;
  const isEmpty = before.drawsNothing || after.drawsNothing;
  if (
    isEmpty ? before.columns !== after.columns || before.west !== after.west : before.ground !== after.ground
  )
    return undefined;
  const cells = { up: 0, down: 0, appeared: 0, vanished: 0 };
  let biggestRise: unknown = null;
  let most = 0;
  for (let cell = 0; cell < before.indices.length; cell++) {
    const [from, to] = [before.indices[cell]!, after.indices[cell]!];
    if (from === 0 && before.covered[cell] === 0) continue;
    if (to === 0 && after.covered[cell] === 0) continue;
    if (from > 0 && to > from) cells.up += 1;
    if (to > 0 && to < from) cells.down += 1;
    if (from === 0 && to > 0) cells.appeared += 1;
    if (from > 0 && to === 0) cells.vanished += 1;
    if (to - from <= most) continue;
    most = to - from;
    const row = Math.floor(cell / before.columns);
    const lon = (before.west + ((cell % before.columns) + 0.5) * before.cell) / 1e6;
    const lat = (before.north - (row + 0.5) * before.cell) / 1e6;
    biggestRise = { classes: most, from: toPair(before.edges, from), to: toPair(after.edges, to), lon, lat };
  }
  return { cells, biggestRise };
}

export interface NaiveSwath {
  readonly line: unknown;
  readonly highest: Uint8Array | undefined;
  readonly covered: Uint8Array | undefined;
}

export interface SwathQuestion {
  readonly layer: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function naiveSwath(
  revisions: readonly NaiveRevision[],
  { layer, from, to }: SwathQuestion,
  getPlane: GetPlane,
): NaiveSwath {
  const windows = naiveKnown(revisions)
    .map((revision) => ({ revision, found: revision.layers.find(({ id }) => id === layer) }))
    .map(({ revision, found }) => ({ found, observedAt: found?.observedAt ?? revision.observedAt }))
    .filter(({ observedAt }) => from === undefined || Date.parse(observedAt) >= Date.parse(from))
    .filter(({ observedAt }) => to === undefined || Date.parse(observedAt) <= Date.parse(to));
  const planes = windows.map(({ found }) => found && getPlane(found.frameId));
  const first = planes.find((plane) => plane && !plane.drawsNothing) ?? planes.find((plane) => plane);
  const missing: { observedAt: string; why: string }[] = [];
  const highest = first && new Uint8Array(first.indices.length);
  const covered = first && new Uint8Array(first.indices.length);
  let used = 0;
  let wholeBounds: readonly number[] | null = null;
  windows.forEach(({ found, observedAt }, index) => {
    const window = toWindow(observedAt);
    const previous = index === 0 ? window : toWindow(windows[index - 1]!.observedAt) + 1;
    for (let gap = previous; gap < window; gap++) {
      const startAt = new Date(gap * 120_000).toISOString().replace(".000Z", "Z");
      missing.push({ observedAt: startAt, why: "not-published" });
    }
    const plane = planes[index];
    if (!found) missing.push({ observedAt, why: "not-delivered" });
    else if (!plane) missing.push({ observedAt, why: "failed" });
    else if (plane.ground !== first!.ground && !(plane.drawsNothing && plane.west === first!.west))
      missing.push({ observedAt, why: "another-grid" });
    else {
      used += 1;
      wholeBounds ??= found.bounds;
      for (let cell = 0; cell < highest!.length; cell++) {
        highest![cell] = Math.max(highest![cell]!, plane.indices[cell]!);
        covered![cell]! |= plane.covered[cell]!;
      }
    }
  });
  const bounds = first?.drawsNothing === false ? drawnBounds(first, highest!) : wholeBounds;
  const counts = new Array<number>(256).fill(0);
  for (const index of highest ?? []) counts[index]! += 1;
  const histogram = (first?.edges ?? []).flatMap((lower, place) =>
    counts[place + 1]! > 0 ? [[lower, counts[place + 1]]] : [],
  );
  return { line: { layer, windows: { used, missing }, bounds, histogram }, highest, covered };
}

function drawnBounds({ columns, rows, west, north, cell }: NaivePlane, highest: Uint8Array): number[] {
  let [left, top, right, bottom] = [columns, rows, 0, 0];
  highest.forEach((index, at) => {
    if (index === 0) return;
    const [row, column] = [Math.floor(at / columns), at % columns];
    left = Math.min(left, column);
    top = Math.min(top, row);
    right = Math.max(right, column + 1);
    bottom = Math.max(bottom, row + 1);
  });
  return [west + left * cell, north - bottom * cell, west + right * cell, north - top * cell].map(
    (units) => units / 1e6,
  );
}

export interface NaiveStoryLine {
  readonly observedAt: string;
  readonly publishedAt: string;
  readonly sequence: number;
  readonly layer: string;
  readonly class: Pair | null;
  readonly nothing: string | null;
}

export function naiveStory(
  revisions: readonly NaiveRevision[],
  [lon, lat]: readonly [number, number],
  getPlane: GetPlane,
): NaiveStoryLine[] {
  const ids = layerOrder.filter((id) =>
    revisions.some(({ layers }) => layers.some((layer) => layer.id === id)),
  );
  return naiveKnown(revisions).flatMap((newest) =>
    ids.map((layer) => {
      const find = (revision: NaiveRevision): NaiveLayer | undefined =>
        revision.layers.find(({ id }) => id === layer);
      const found = find(newest);
      const versions = revisions.filter(
        ({ observedAt }) => toWindow(observedAt) === toWindow(newest.observedAt),
      );
      let since = newest;
      for (const version of versions.toReversed()) {
        const same =
          find(version)?.frameId === found?.frameId && find(version)?.observedAt === found?.observedAt;
        if (!same) break;
        since = version;
      }
      const facts = {
        observedAt: found?.observedAt ?? newest.observedAt,
        publishedAt: since.publishedAt,
        sequence: since.sequence,
        layer,
      };
      const plane = found && getPlane(found.frameId);
      if (!found) return { ...facts, class: null, nothing: "not-delivered" };
      if (!plane) return { ...facts, class: null, nothing: "failed" };
      return { ...facts, ...readCell(plane, lon, lat) };
    }),
  );
}

function readCell(
  plane: NaivePlane,
  lon: number,
  lat: number,
): { class: Pair | null; nothing: string | null } {
  const { columns, rows, west, north, cell, indices, covered, edges } = plane;
  const column = Math.floor((Math.round(lon * 1e6) - west) / cell);
  const row = Math.floor((north - Math.round(lat * 1e6)) / cell);
  if (column < 0 || row < 0 || column >= columns || row >= rows)
    return { class: null, nothing: "outside-coverage" };
  const at = row * columns + column;
  const pair = toPair(edges, indices[at]!);
  return { class: pair, nothing: pair ? null : covered[at] === 1 ? "below" : "outside-coverage" };
}
