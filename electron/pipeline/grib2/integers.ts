// Integers as GRIB2 writes them: big-endian, negative ones as sign and magnitude (regulation 92.1.5).

export function readSigned16(view: DataView, at: number): number {
  const raw = view.getUint16(at);
  return raw & 0x8000 ? 0 - (raw & 0x7fff) : raw;
}

export function readSigned32(view: DataView, at: number): number {
  const raw = view.getUint32(at);
  return raw >= 0x80000000 ? 0 - (raw - 0x80000000) : raw;
}
