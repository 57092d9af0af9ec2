// A file with a usable header, the order in which such files are published, and what the name of an MRMS file tells.
import type { ProductId } from "../../../shared/contract/primitives.ts";
import type { SourceFile } from "./find-sources.ts";

/** A file whose header names a product of the viewer. */
export interface Candidate extends SourceFile {
  readonly assetId: number;
  readonly productId: ProductId;
  /** UTC, such as `2024-02-28T02:52:39Z`. */
  readonly observedAt: string;
  readonly lastModifiedAt: string;
  /** Most bytes of memory that drawing takes, estimated from the header. */
  readonly workBytes: number;
  /** The URL the file was fetched from; undefined for a local file, which is named by its hash. */
  readonly sourceUrl?: string | undefined;
}

/** Compares by observation time, then by modification time, then by path. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  return (
    Date.parse(a.observedAt) - Date.parse(b.observedAt) ||
    Date.parse(a.lastModifiedAt) - Date.parse(b.lastModifiedAt) ||
    (a.path < b.path ? -1 : Number(a.path > b.path))
  );
}

/** Returns the observation time in a name like `…_20240228-025239.grib2`, in milliseconds since the Unix epoch. */
export function findTimeInName(name: string): number | undefined {
  const match = /_(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})\./.exec(name);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Returns the product in the name of an MRMS file, without `MRMS_` and level, such as `PrecipRate`. */
export function findStemInName(name: string): string | undefined {
  return /^(?:MRMS_)?(\w+?)_\d{2}\.\d{2}_\d{8}-\d{6}\./.exec(name)?.[1];
}
