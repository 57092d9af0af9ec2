// The outlines of a TrueType font's letters as SVG paths (OpenType 1.9: head, hhea, hmtx, maxp, loca, glyf, cmap format 4), so
// that a still's text depends on no font of the machine. Build time, trusted files.
import type { Glyph } from "../../sharing/briefings/atlas/briefing-map.ts";

export interface OutlineFont {
  readonly unitsPerEm: number;
  /** Undefined where the font has no such character. */
  readonly findGlyph: (codePoint: number) => Glyph | undefined;
}

interface CurvePoint {
  readonly x: number;
  readonly y: number;
  readonly onCurve: boolean;
}

type Contour = readonly CurvePoint[];

export function openOutlineFont(tables: ReadonlyMap<string, DataView>): OutlineFont {
  const table = (tag: string): DataView => {
    const found = tables.get(tag);
    if (!found) throw new Error(`The font has no table ${tag}.`);
    return found;
  };
  const [head, loca, glyf, hmtx] = [table("head"), table("loca"), table("glyf"), table("hmtx")];
  const hasLongOffsets = head.getInt16(50) === 1;
  const metrics = table("hhea").getUint16(34);
  const toIndex = readCharacterMap(table("cmap"));
  const offsetOf = (index: number): number =>
    hasLongOffsets ? loca.getUint32(index * 4) : loca.getUint16(index * 2) * 2;
  const contoursOf = (index: number): Contour[] => {
    const [start, end] = [offsetOf(index), offsetOf(index + 1)];
    if (start === end) return [];
    const glyph = new DataView(glyf.buffer, glyf.byteOffset + start, end - start);
    return glyph.getInt16(0) >= 0 ? readSimple(glyph) : readComposite(glyph, contoursOf);
  };
  return {
    unitsPerEm: head.getUint16(18),
    findGlyph(codePoint) {
      const index = toIndex(codePoint);
      if (index === 0) return undefined;
      const advance = hmtx.getUint16(Math.min(index, metrics - 1) * 4);
      return [advance, contoursOf(index).map(toPath).join("")];
    },
  };
}

/** cmap format 4: segments of characters with a glyph each, 0 for those without. */
function readCharacterMap(cmap: DataView): (codePoint: number) => number {
  const count = cmap.getUint16(2);
  const subtables = Array.from({ length: count }, (_, index) => cmap.getUint32(8 + index * 8));
  const at = subtables.find((offset) => cmap.getUint16(offset) === 4);
  if (at === undefined) throw new Error("The font has no character map of format 4.");
  const doubled = cmap.getUint16(at + 6);
  return (codePoint) => {
    for (let segment = 0; segment < doubled; segment += 2) {
      if (cmap.getUint16(at + 14 + segment) < codePoint) continue;
      const start = cmap.getUint16(at + 16 + doubled + segment);
      if (start > codePoint) return 0;
      const delta = cmap.getInt16(at + 16 + 2 * doubled + segment);
      const rangeAt = at + 16 + 3 * doubled + segment;
      const range = cmap.getUint16(rangeAt);
      if (range === 0) return (codePoint + delta) & 0xffff;
      const index = cmap.getUint16(rangeAt + range + 2 * (codePoint - start));
      return index === 0 ? 0 : (index + delta) & 0xffff;
    }
    return 0;
  };
}

/** Flags of a simple glyph's points. */
const point = { onCurve: 1, shortX: 2, shortY: 4, repeat: 8, sameX: 16, sameY: 32 } as const;

function readSimple(glyph: DataView): Contour[] {
  const count = glyph.getInt16(0);
  const ends = Array.from({ length: count }, (_, index) => glyph.getUint16(10 + index * 2));
  const total = (ends.at(-1) ?? -1) + 1;
  let at = 10 + count * 2;
  at += 2 + glyph.getUint16(at);
  const flags: number[] = [];
  while (flags.length < total) {
    const flag = glyph.getUint8(at++);
    flags.push(flag);
    if ((flag & point.repeat) === 0) continue;
    for (let more = glyph.getUint8(at++); more > 0; more--) flags.push(flag);
  }
  const readAxis = (short: number, same: number): number[] => {
    let value = 0;
    return flags.map((flag) => {
      if (flag & short) value += flag & same ? glyph.getUint8(at++) : -glyph.getUint8(at++);
      else if ((flag & same) === 0) {
        value += glyph.getInt16(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = readAxis(point.shortX, point.sameX);
  const ys = readAxis(point.shortY, point.sameY);
  const points = flags.map((flag, index) => ({
    x: xs[index]!,
    y: -ys[index]!,
    onCurve: (flag & point.onCurve) !== 0,
  }));
  return ends.map((end, index) => points.slice((ends[index - 1] ?? -1) + 1, end + 1));
}

/** Flags of a composite glyph's parts. */
const part = { wideOffsets: 1, offsetsAreXy: 2, scaled: 8, more: 32, scaledXy: 64, matrix: 128 } as const;

function readComposite(glyph: DataView, contoursOf: (index: number) => Contour[]): Contour[] {
  const contours: Contour[] = [];
  let flags: number = part.more;
  for (let at = 10; flags & part.more;) {
    flags = glyph.getUint16(at);
    if ((flags & part.offsetsAreXy) === 0 || flags & (part.scaled | part.scaledXy | part.matrix)) {
      throw new Error("The font has a composite letter of a kind that is not read.");
    }
    const isWide = (flags & part.wideOffsets) !== 0;
    const dx = isWide ? glyph.getInt16(at + 4) : glyph.getInt8(at + 4);
    const dy = isWide ? glyph.getInt16(at + 6) : glyph.getInt8(at + 5);
    for (const contour of contoursOf(glyph.getUint16(at + 2))) {
      contours.push(contour.map(({ x, y, onCurve }) => ({ x: x + dx, y: y - dy, onCurve })));
    }
    at += isWide ? 8 : 6;
  }
  return contours;
}

/** Quadratic curves; between two control points lies a point of the curve that the font leaves out. */
function toPath(contour: Contour): string {
  const points = contour.flatMap((here, index) => {
    const next = contour[(index + 1) % contour.length]!;
    if (here.onCurve || next.onCurve) return [here];
    return [here, { x: (here.x + next.x) / 2, y: (here.y + next.y) / 2, onCurve: true }];
  });
  const first = points.findIndex(({ onCurve }) => onCurve);
  if (first < 0) return "";
  const ring = [...points.slice(first), ...points.slice(0, first + 1)];
  return `${ring
    .map(({ x, y, onCurve }, index) => {
      if (index === 0) return `M${x} ${y}`;
      if (!onCurve) return `Q${x} ${y}`;
      return ring[index - 1]!.onCurve ? `L${x} ${y}` : ` ${x} ${y}`;
    })
    .join("")}Z`;
}
