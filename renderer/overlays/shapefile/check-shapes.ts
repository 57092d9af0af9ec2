// Checks the parts of a Shapefile before its reader follows the lengths and counts in them (ESRI Shapefile Technical
// Description, 1998; dBASE III). A wrong one would make the reader go on for ever or fill the memory.
import { overlayLimits } from "../../../shared/overlays/overlay.ts";
import { refuse, refuseManyPoints } from "../../../shared/overlays/reading/shape-gatherer.ts";

const fileCode = 9994;
const headerBytes = 100;
const recordHeaderBytes = 8;
/** Types of shapes, the last two of three with heights and measures. */
const pointTypes: readonly number[] = [1, 11, 21];
const multiPointTypes: readonly number[] = [8, 18, 28];
const partTypes: readonly number[] = [3, 5, 13, 15, 23, 25];

/** Throws AppError unless every record is whole and of the limits. */
export function checkShapes(bytes: Uint8Array, name: string): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const damaged = (): Error => refuse(name, "is damaged: a record of its .shp file is not whole");
  if (bytes.length < headerBytes || view.getInt32(0) !== fileCode)
    throw refuse(name, "has no valid .shp file");
  // The reader takes every record for one of the type in the header.
  const type = view.getInt32(32, true);
  if (![...pointTypes, ...multiPointTypes, ...partTypes].includes(type))
    throw refuse(name, "has shapes of a type that cannot be drawn");
  let points = 0;
  let records = 0;
  let at = headerBytes;
  for (; at + recordHeaderBytes <= bytes.length; records += 1) {
    if (records >= overlayLimits.shapes)
      throw refuse(name, `has more than ${overlayLimits.shapes.toLocaleString("en-US")} shapes`);
    const length = view.getInt32(at + 4) * 2;
    const end = at + recordHeaderBytes + length;
    if (length < 4 || end > bytes.length) throw damaged();
    const record = new DataView(bytes.buffer, bytes.byteOffset + at + recordHeaderBytes, length);
    const counted = countPoints(record, type);
    if (counted === undefined) throw damaged();
    points += counted;
    if (points > overlayLimits.points) throw refuseManyPoints(name);
    at = end;
  }
  if (at !== bytes.length || view.getInt32(24) * 2 !== bytes.length) throw damaged();
}

/** Counts the points of one record; undefined if they do not fit into it. */
function countPoints(record: DataView, type: number): number | undefined {
  const ownType = record.getInt32(0, true);
  if (ownType === 0) return 0;
  if (ownType !== type) return undefined;
  if (pointTypes.includes(type)) return record.byteLength >= 20 ? 1 : undefined;
  if (multiPointTypes.includes(type)) {
    const points = record.byteLength >= 40 ? record.getInt32(36, true) : -1;
    return points >= 0 && record.byteLength >= 40 + 16 * points ? points : undefined;
  }
  if (record.byteLength < 44) return undefined;
  const parts = record.getInt32(36, true);
  const points = record.getInt32(40, true);
  if (parts < 0 || points < 0 || parts > overlayLimits.shapes) return undefined;
  if (record.byteLength < 44 + 4 * parts + 16 * points) return undefined;
  let before = 0;
  for (let part = 0; part < parts; part += 1) {
    const first = record.getInt32(44 + 4 * part, true);
    if (first < before || first > points) return undefined;
    before = first;
  }
  return points;
}

/** Checks that every row of a table is there. */
export function checkTable(bytes: Uint8Array, name: string): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const damaged = (): Error => refuse(name, "is damaged: its .dbf file is not whole");
  if (bytes.length < 33) throw damaged();
  const rows = view.getUint32(4, true);
  const headBytes = view.getUint16(8, true);
  const rowBytes = view.getUint16(10, true);
  if (rows > overlayLimits.shapes) throw refuse(name, "has a .dbf file of more rows than shapes may be");
  let widths = 1;
  for (let at = 32; at + 32 < headBytes && bytes[at] !== 13; at += 32) widths += bytes[at + 16] ?? 0;
  if (widths !== rowBytes || headBytes + rows * rowBytes > bytes.length) throw damaged();
}
