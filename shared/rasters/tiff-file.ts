// Writes TIFF 6.0 with one image in strips, little-endian.

/** Field types of TIFF 6.0, section 2. */
const types = {
  ascii: { code: 2, bytes: 1 },
  short: { code: 3, bytes: 2 },
  long: { code: 4, bytes: 4 },
  double: { code: 12, bytes: 8 },
} as const;

export interface TiffField {
  readonly tag: number;
  readonly type: keyof typeof types;
  /** Numbers, or the bytes of a text and its final zero. */
  readonly values: ArrayLike<number>;
}

const headerBytes = 8;
const entryBytes = 12;
const stripOffsetsTag = 273;
const stripByteCountsTag = 279;

/** Returns the file. @param fields in any order, without those of the strips' places */
export function writeTiff(
  fields: readonly TiffField[],
  strips: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const offsets = new Array<number>(strips.length);
  const placed: TiffField[] = [
    ...fields,
    { tag: stripOffsetsTag, type: "long", values: offsets },
    { tag: stripByteCountsTag, type: "long", values: strips.map(({ length }) => length) },
  ].toSorted((first, second) => first.tag - second.tag) as TiffField[];
  const directoryBytes = 2 + entryBytes * placed.length + 4;
  let end = headerBytes + directoryBytes;
  const places = placed.map((field) => {
    const place = end;
    const length = byteLengthOf(field);
    if (length > 4) end += length + (length & 1);
    return place;
  });
  strips.forEach((strip, index) => {
    offsets[index] = end;
    end += strip.length + (strip.length & 1);
  });
  const file = new Uint8Array(end);
  const view = new DataView(file.buffer);
  file.set([0x49, 0x49, 42, 0, headerBytes, 0, 0, 0]);
  view.setUint16(headerBytes, placed.length, true);
  placed.forEach((field, index) => {
    const entry = headerBytes + 2 + entryBytes * index;
    view.setUint16(entry, field.tag, true);
    view.setUint16(entry + 2, types[field.type].code, true);
    view.setUint32(entry + 4, field.values.length, true);
    const isInEntry = byteLengthOf(field) <= 4;
    if (!isInEntry) view.setUint32(entry + 8, places[index]!, true);
    writeValues(view, isInEntry ? entry + 8 : places[index]!, field);
  });
  strips.forEach((strip, index) => {
    file.set(strip, offsets[index]);
  });
  return file;
}

function byteLengthOf({ type, values }: TiffField): number {
  return types[type].bytes * values.length;
}

function writeValues(view: DataView, start: number, { type, values }: TiffField): void {
  for (let index = 0; index < values.length; index++) {
    const at = start + index * types[type].bytes;
    const value = values[index]!;
    if (type === "ascii") view.setUint8(at, value);
    else if (type === "short") view.setUint16(at, value, true);
    else if (type === "long") view.setUint32(at, value, true);
    else view.setFloat64(at, value, true);
  }
}
