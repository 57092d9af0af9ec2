// Unpacks data template 7.41 of GRIB2: the codes are the samples of a PNG, 8 or 16 bits of gray or 24 bits of RGB.
import { isPngError } from "../../../shared/png/png-error.ts";
import type { VisitRow } from "../../../shared/png/scanlines.ts";
import type { Samples } from "../../platform/png/line-decoders.ts";
import { parsePng, streamPngRows, visitPngRows } from "../../platform/png/read.ts";
import type { PngFile } from "../../platform/png/read.ts";
import { createCodes } from "./bits.ts";
import type { Codes, PackedValues } from "./field.ts";
import { Grib2Error } from "./grib2-error.ts";
import type { Message } from "./message.ts";
import { PNG_PACKING } from "./representation.ts";

/** The most pixels of a line. Several whole lines are in memory, also of a picture that has only one. */
const MAX_LINE_PIXELS = 1 << 25;

/** Returns false for a field of equal values without a picture. */
export function hasPicture({ header, data }: Message): boolean {
  const { template, bitsPerValue } = header.packing;
  return template === PNG_PACKING && (bitsPerValue > 0 || data.length > 0);
}

/** Unpacks the whole picture, if there is one. @throws Grib2Error */
export function unpackPng(message: Message): PackedValues {
  const bits = message.header.packing.bitsPerValue;
  if (!hasPicture(message)) return { bits, hasMissing: false, read: (codes) => void codes.fill(0) };
  const file = openPng(message);
  const all = createCodes(bits, message.valueCount);
  visitPngCodes(message, file, (row, line) => {
    all.set(line, row * file.header.widthPx);
  });
  let at = 0;
  return {
    bits,
    hasMissing: false,
    read: (codes) => {
      codes.set(all.subarray(at, at + codes.length));
      at += codes.length;
    },
  };
}

/** Reads the PNG in section 7 up to its picture, and checks that it fits the message. @throws Grib2Error */
export function openPng(message: Message): PngFile {
  const file = withGribErrors(message, () => parsePng(message.data));
  const { widthPx, heightPx, bytesPerPixel, colorType } = file.header;
  const { bitsPerValue } = message.header.packing;
  const fail = (text: string): Grib2Error => new Grib2Error(text, message.dataOffset, 7);
  if (colorType === "palette") throw fail("the picture has a palette, but gray or RGB samples are expected");
  if (bitsPerValue !== bytesPerPixel * 8) {
    throw fail(
      `the picture has ${bytesPerPixel * 8} bits a pixel, but section 5 says ${bitsPerValue} bits a value`,
    );
  }
  const { columns, rows } = message.header.grid;
  const [width, height] = message.scanning.columnsFirst ? [rows, columns] : [columns, rows];
  // With a bitmap, encoders write all values in one line.
  const fits =
    message.bitmap === undefined
      ? widthPx === width && heightPx === height
      : widthPx * heightPx === message.valueCount;
  if (!fits) {
    throw fail(
      `the picture has ${widthPx} by ${heightPx} pixels, but the grid has ${width} by ${height} cells`,
    );
  }
  if (widthPx > MAX_LINE_PIXELS) {
    throw fail(`a line of ${widthPx} pixels is longer than the ${MAX_LINE_PIXELS} that a line may have`);
  }
  return file;
}

type VisitCodes = (row: number, codes: Codes) => void;

/** Calls `visit` with the codes of each row of the picture, valid during the call only. @throws Grib2Error */
export function visitPngCodes(message: Message, file: PngFile, visit: VisitCodes): void {
  withGribErrors(message, () => {
    visitPngRows(file, toRowVisitor(file, visit));
  });
}

/** Does what `visitPngCodes` does, but never holds the whole picture. */
export async function streamPngCodes(message: Message, file: PngFile, visit: VisitCodes): Promise<void> {
  try {
    await streamPngRows(file, toRowVisitor(file, visit));
  } catch (error) {
    throw toGribError(message, error);
  }
}

/** Converts samples to codes: RGB samples are joined, others are codes already. */
function toRowVisitor({ header }: PngFile, visit: VisitCodes): VisitRow<Samples> {
  if (header.colorType !== "rgb") return visit;
  const line = new Uint32Array(header.widthPx);
  return (row, samples) => {
    joinRgb(samples, line);
    visit(row, line);
  };
}

function joinRgb(samples: ArrayLike<number>, out: Uint32Array): void {
  for (let at = 0; at < out.length; at++) {
    out[at] = (samples[3 * at]! << 16) | (samples[3 * at + 1]! << 8) | samples[3 * at + 2]!;
  }
}

function withGribErrors<Result>(message: Message, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw toGribError(message, error);
  }
}

/** Converts a PngError to a Grib2Error; passes other errors through. */
function toGribError({ dataOffset }: Message, error: unknown): unknown {
  if (!isPngError(error)) return error;
  const text = `the picture in section 7 is damaged: ${error.message}`;
  return new Grib2Error(text, dataOffset + error.offset, 7, error);
}
