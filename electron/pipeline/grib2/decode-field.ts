// Decodes a GRIB2 message to its field: exact packed codes, north row first, with missing cells marked.
import { createCodes } from "./bits.ts";
import type { Codes, Field } from "./field.ts";
import { readMessage } from "./message.ts";
import type { Message } from "./message.ts";
import { toLinePlace } from "./scan-order.ts";
import type { LinePlace } from "./scan-order.ts";
import { visitLines } from "./visit-lines.ts";

/** Decodes the only message in `bytes`. @throws Grib2Error */
export function decodeField(bytes: Uint8Array): Field {
  return decodeMessage(readMessage(bytes));
}

/** Decodes a message. @throws Grib2Error */
export function decodeMessage(message: Message): Field {
  const { header, scanning } = message;
  const { grid } = header;
  const cells = grid.columns * grid.rows;
  const plane: { codes?: Codes; missing?: Uint8Array } = {};
  visitLines(message, (line, codes, missing) => {
    const place = toLinePlace(line, grid, scanning);
    plane.codes ??= createCodes(codes.BYTES_PER_ELEMENT * 8, cells);
    putLine(codes, plane.codes, place);
    if (!missing) return;
    plane.missing ??= new Uint8Array(cells);
    putLine(missing, plane.missing, place);
  });
  return { ...header, codes: plane.codes!, missing: plane.missing };
}

function putLine(from: Codes, to: Codes, { start, step }: LinePlace): void {
  if (step === 1) {
    to.set(from, start);
    return;
  }
  for (let at = 0; at < from.length; at++) to[start + at * step] = from[at]!;
}
