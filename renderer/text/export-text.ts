// Words of pictures that leave the viewer, and of the dialog that makes them.
import { clockDay, clockMinute, minuteWithZone } from "./format.ts";

/** The sources of the ground under the storm. */
export const basemapCredits =
  "map: U.S. Census, Natural Earth, Boost.Geometry, OurAirports · places: GeoNames (CC BY 4.0)";

/** `revision 32 of 32` */
export function revisionPlace(sequence: number, latest: number | undefined): string {
  return latest === undefined ? `revision ${sequence}` : `revision ${sequence} of ${latest}`;
}

/** `20 May 2026 21:10 to 21:14 UTC`: the windows of a gap. */
export function gapSpan({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): string {
  const isSameDay = clockDay(fromMs) === clockDay(toMs);
  return `${clockDay(fromMs)} ${clockMinute(fromMs)} to ${isSameDay ? "" : `${clockDay(toMs)} `}${minuteWithZone(toMs)}`;
}
