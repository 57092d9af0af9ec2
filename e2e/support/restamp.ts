// Gives a GRIB2 message another observation time or another product, so that one real file can stand for many.
import type { GribIdentity } from "../../shared/products/product.ts";

/**
 * Offset of the reference time: octets 13 to 19 of section 1, which follows section 0's 16 octets (FM 92 GRIB edition
 * 2).
 */
const timeAt = 16 + 12;

/** Returns a copy of the message with another observation time, to the second. */
export function restamp(message: Uint8Array, observedAt: string): Uint8Array {
  const observed = new Date(observedAt);
  const stamped = Buffer.from(message);
  stamped.writeUInt16BE(observed.getUTCFullYear(), timeAt);
  stamped.set(
    [
      observed.getUTCMonth() + 1,
      observed.getUTCDate(),
      observed.getUTCHours(),
      observed.getUTCMinutes(),
      observed.getUTCSeconds(),
    ],
    timeAt + 2,
  );
  return stamped;
}

/** Offsets in section 4: its number, and category and parameter after length, number, coordinates and template. */
const [sectionNumberAt, categoryAt, parameterAt] = [4, 9, 10];

/** Returns a copy of the message that calls its values another product of the same discipline. */
export function relabel(message: Uint8Array, { category, parameter }: GribIdentity): Uint8Array {
  const labeled = Buffer.from(message);
  let section = 16;
  while (labeled[section + sectionNumberAt] !== 4) section += labeled.readUInt32BE(section);
  labeled[section + categoryAt] = category;
  labeled[section + parameterAt] = parameter;
  return labeled;
}
