// A person's own color table for one of our layers: its colors in the product's unit, the color of each class, and how
// exactly the classes show it.
import * as z from "zod";
import { AppError } from "../../app-error.ts";
import { ProductId } from "../../contract/primitives.ts";
import { palLimits, parsePal, type PalEntry, type PalFile, type Rgba } from "./pal-file.ts";

const Channel = z.int().min(0).max(255);
const Color = z.tuple([Channel, Channel, Channel, Channel]).readonly();

/** A segment starts with `color` at `from` and ends with `end` where the next one starts; the last has one color. */
export const Segment = z
  .strictObject({ from: z.number().min(-1e9).max(1e9), color: Color, end: Color })
  .readonly();
export type Segment = z.infer<typeof Segment>;

/** Name of the file, without its ending. */
export const TableName = z
  .string()
  .max(60)
  .regex(/^[\p{L}\p{N} ._()+-]+$/u);

/** Small enough to be kept with the settings of the page. */
export const OwnTable = z
  .object({
    name: TableName,
    product: ProductId,
    /** Ascending, in the product's unit. Below the first nothing is drawn. */
    segments: z.array(Segment).min(1).max(palLimits.entries).readonly(),
  })
  .readonly();
export type OwnTable = z.infer<typeof OwnTable>;

const mmPerUnit: ReadonlyMap<string, number> = new Map([
  ["mm", 1],
  ["cm", 10],
  ["in", 25.4],
  ["inch", 25.4],
  ["inches", 25.4],
]);
/** Products of radar programs whose values are dBZ, for files that name no unit. */
const dbzProducts: ReadonlySet<string> = new Set([
  "br",
  "br1",
  "br2",
  "dr",
  "cr",
  "ncr",
  "n0q",
  "n0r",
  "dbz",
]);

/**
 * Reads a table for the layer that its units name.
 * @throws AppError `source-invalid` if it cannot be read, or is for neither hail nor reflectivity
 */
export function toOwnTable(text: string, fileName: string): OwnTable {
  const file = parsePal(text);
  const { product, toNative } = findLayer(file);
  // A factor below zero turns the order.
  const entries = toNative(1) < toNative(0) ? file.entries.toReversed() : file.entries;
  return {
    name: toName(fileName),
    product,
    segments: toSegments(entries.map((entry) => ({ ...entry, value: toNative(entry.value) }))),
  };
}

function toName(fileName: string): string {
  const plain = fileName.replace(/\.[^.]{1,8}$/, "").replaceAll(/[^\p{L}\p{N} ._()+-]/gu, " ");
  return plain.replaceAll(/\s+/g, " ").trim().slice(0, 60) || "Color table";
}

/** A scale other than 1 converts by itself, from millimeters for hail; else the unit does. */
function findLayer({ units, product, scale, offset }: PalFile): {
  readonly product: ProductId;
  readonly toNative: (value: number) => number;
} {
  const unit = units?.toLowerCase();
  const factor = scale === 1 ? (mmPerUnit.get(unit ?? "") ?? 1) : 1;
  // Rounded to a millionth: 1 inch by a scale of 0.03937 stays within a class edge's reach below.
  const toNative = (value: number): number => Math.round(((value - offset) / scale) * factor * 1e6) / 1e6;
  if (unit === "dbz" || (unit === undefined && dbzProducts.has(product?.toLowerCase() ?? ""))) {
    return { product: "mrms-reflectivity", toNative };
  }
  if (unit !== undefined && mmPerUnit.has(unit)) return { product: "mrms-mesh", toNative };
  const reason = unit === undefined ? "does not name its units" : "is for other units than dBZ, mm, cm or in";
  throw new AppError("source-invalid", `The color table ${reason}, so it fits no layer here.`);
}

/** Two entries of one value are one break: the first ends the segment below, the last begins the one above. */
function toSegments(entries: readonly PalEntry[]): Segment[] {
  return entries.flatMap(({ value, color, end }, index) => {
    const next = entries[index + 1];
    return next?.value === value ? [] : [{ from: value, color, end: end ?? next?.color ?? color }];
  });
}

/** Returns the color at a value, as the programs that such tables are for draw it; undefined below the table. */
export function colorAt({ segments }: OwnTable, value: number): Rgba | undefined {
  const index = segments.findLastIndex(({ from }) => from <= value + edgeTolerance(value));
  const segment = segments[index];
  if (!segment) return undefined;
  const { from, color, end } = segment;
  const next = segments[index + 1];
  const share = next ? Math.min(1, Math.max(0, (value - from) / (next.from - from))) : 0;
  return color.map((channel, at) => Math.round(channel + (end[at]! - channel) * share)) as unknown as Rgba;
}

/** Scales such as 0.03937 are rounded: a break this close to a class edge is that edge. */
function edgeTolerance(value: number): number {
  return Math.max(1e-6, Math.abs(value) * 1e-4);
}

const transparent: Rgba = [0, 0, 0, 0];

/** Returns the color of each class: the table's at the class's lower edge. */
export function colorsOfClasses(table: OwnTable, edges: readonly number[]): Rgba[] {
  return edges.map((edge) => colorAt(table, edge) ?? transparent);
}

/** Class in which the table has more than one color. */
export interface MixedClass {
  readonly from: number;
  /** Undefined for the class that is open above. */
  readonly to: number | undefined;
}

export interface Exactness {
  /** Classes cut by a break of the table; each shows the color at its lower edge. */
  readonly mixed: readonly MixedClass[];
  /** True if a gradient is drawn in steps of one class. */
  readonly hasGradient: boolean;
  /** True if classes below the first break are not drawn. */
  readonly startsAbove: boolean;
}

/** Tells where the classes cannot show all that the table has. */
export function toExactness(table: OwnTable, edges: readonly number[]): Exactness {
  const { segments } = table;
  const mixed = edges.flatMap((from, index): MixedClass[] => {
    const to = edges[index + 1];
    const isCut = segments.some(
      (segment, at) =>
        segment.from > from + edgeTolerance(from) &&
        (to === undefined || segment.from < to - edgeTolerance(to)) &&
        !isSame(segment.color, segments[at - 1]?.end ?? transparent),
    );
    return isCut ? [{ from, to }] : [];
  });
  const first = edges[0]!;
  return {
    mixed,
    hasGradient: segments.slice(0, -1).some(({ color, end }) => !isSame(color, end)),
    startsAbove: segments[0]!.from > first + edgeTolerance(first),
  };
}

function isSame(one: Rgba, other: Rgba): boolean {
  return one.every((channel, index) => channel === other[index]);
}
