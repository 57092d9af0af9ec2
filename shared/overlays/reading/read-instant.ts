// Reads the instants that files write in many ways. A time without a zone is UTC.

const earliestMs = 0;
const latestMs = Date.UTC(2200, 0, 1);
/** Larger numbers are milliseconds. */
const mostSeconds = 1e11;
const iso =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?$/i;
const dayMs = 24 * 60 * 60_000;

/** The end of a span given as a day alone is the end of that day. */
export type InstantEdge = "first" | "last";

/** Converts ISO 8601, `YYYYMMDDHHMM` or an epoch in seconds or milliseconds; undefined if it is none of them. */
export function readInstant(value: unknown, edge: InstantEdge = "first"): number | undefined {
  const read = readAny(value, edge);
  return read !== undefined && read >= earliestMs && read <= latestMs ? Math.round(read) : undefined;
}

function readAny(value: unknown, edge: InstantEdge): number | undefined {
  if (typeof value === "number") return value > 1e8 ? toMs(value) : undefined;
  if (typeof value !== "string" || value.length > 40) return undefined;
  const text = value.trim();
  const compact = /^((?:19|20)\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})?$/.exec(text);
  if (compact) {
    const [, year, month, day, hour, minute, second = "00"] = compact;
    return readIso(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`, edge);
  }
  if (/^\d{9,13}(?:\.\d{1,6})?$/.test(text)) return toMs(Number(text));
  return readIso(text, edge);
}

function toMs(epoch: number): number {
  return epoch < mostSeconds ? epoch * 1000 : epoch;
}

function readIso(text: string, edge: InstantEdge): number | undefined {
  const found = iso.exec(text);
  if (!found) return undefined;
  const [, day, time, second = "00", fraction = "0", zone = "Z"] = found;
  const offset = /^[a-z]/i.test(zone) ? "Z" : zone.replace(/(\d{2}):?(\d{2})$/, "$1:$2");
  const ms = Date.parse(`${day}T${time ?? "00:00"}:${second}.${fraction.slice(0, 3)}${offset}`);
  if (Number.isNaN(ms)) return undefined;
  return time === undefined && edge === "last" ? ms + dayMs - 1 : ms;
}
