// A storm report: what a person saw, where and when. It is not an estimate, and is never drawn as one.
import type { Coordinate } from "../contract/primitives.ts";

export const reportKinds = ["hail", "wind", "tornado", "other"] as const;
export type ReportKind = (typeof reportKinds)[number];

export interface StormReport {
  readonly kind: ReportKind;
  readonly atMs: number;
  readonly coordinate: Coordinate;
  /** Diameter in millimeters; undefined for other kinds, and for hail whose size was not told. */
  readonly sizeMm?: number | undefined;
  /** Speed of a gust in knots. */
  readonly windKt?: number | undefined;
  /** The place in the words of the report. */
  readonly place?: string | undefined;
  /** The kind of person who reported, such as `trained spotter`. */
  readonly source?: string | undefined;
  readonly remark?: string | undefined;
}
