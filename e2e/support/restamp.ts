// Gives a GRIB2 message another observation time, so that one real file can stand for many.

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
