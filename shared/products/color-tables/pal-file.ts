// Reads color tables of GRLevelX programs and of NOAA's Weather and Climate Toolkit (`.pal`): a statement a line,
// `Color: value red green blue {red2 green2 blue2}` and its kin, with or without the colon. The format is
// http://www.grlevelx.com/manuals/color_tables/files_color_table.htm. Knows no product.
import { AppError } from "../../app-error.ts";

/** Red, green, blue and alpha, 0 to 255. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

export interface PalEntry {
  /** In the units of the file. */
  readonly value: number;
  readonly color: Rgba;
  /** Color just below the next entry; undefined for that of the next entry. */
  readonly end: Rgba | undefined;
}

export interface PalFile {
  /** Product code, such as `BR`; undefined if the file has none. */
  readonly product: string | undefined;
  /** Name of the units, such as `DBZ`; undefined if the file has none. */
  readonly units: string | undefined;
  /** Value in the file = value of the product × scale + offset. */
  readonly scale: number;
  readonly offset: number;
  /** Ascending by value; two entries of one value are a sharp break, the lower side first. */
  readonly entries: readonly PalEntry[];
  /** Statements that the viewer does not use, by their names: `RF`, `ND`, `Step`, and unknown ones. */
  readonly unused: readonly string[];
}

export const palLimits = { bytes: 64 * 1024, entries: 256, lines: 4096 } as const;

const mostValue = 1e6;
const mostWordLength = 32;

interface Draft {
  product: string | undefined;
  units: string | undefined;
  scale: number;
  offset: number;
  readonly entries: PalEntry[];
  readonly unused: Set<string>;
}

/**
 * @throws AppError `source-invalid` with the line that cannot be read
 */
export function parsePal(text: string): PalFile {
  if (text.length > palLimits.bytes) throw refused(`is larger than ${palLimits.bytes / 1024} KB`);
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/, palLimits.lines + 1);
  if (lines.length > palLimits.lines) throw refused(`has more than ${palLimits.lines} lines`);
  const draft: Draft = {
    product: undefined,
    units: undefined,
    scale: 1,
    offset: 0,
    entries: [],
    unused: new Set(),
  };
  lines.forEach((line, index) => {
    readLine(draft, line, index + 1);
  });
  if (draft.entries.length === 0) throw refused("has no color");
  return { ...draft, entries: toAscending(draft.entries), unused: [...draft.unused] };
}

function refused(reason: string): AppError {
  return new AppError("source-invalid", `The color table ${reason}.`);
}

function readLine(draft: Draft, line: string, number: number): void {
  const words = line
    .replace(/(?:;|\/\/|#).*$/, "")
    .replaceAll(/[:,=]/g, " ")
    .trim()
    .split(/\s+/);
  const [keyword = "", ...rest] = words;
  switch (keyword.toLowerCase()) {
    case "":
      return;
    case "product":
      draft.product = rest[0]?.slice(0, mostWordLength);
      return;
    case "units":
    case "unit":
      draft.units = rest[0]?.slice(0, mostWordLength);
      return;
    case "scale":
      draft.scale = readNumber(rest[0], number);
      if (draft.scale === 0) throw refused(`has a scale of 0 in line ${number}`);
      return;
    case "offset":
      draft.offset = readNumber(rest[0], number);
      return;
    case "color":
    case "color4":
    case "solidcolor":
    case "solidcolor4":
      if (draft.entries.length === palLimits.entries)
        throw refused(`has more than ${palLimits.entries} colors`);
      draft.entries.push(readEntry(keyword.toLowerCase(), rest, number));
      return;
    default:
      draft.unused.add(keyword.slice(0, mostWordLength));
  }
}

function readEntry(keyword: string, words: readonly string[], line: number): PalEntry {
  const channels = keyword.endsWith("4") ? 4 : 3;
  const [value, ...parts] = words.map((word) => readNumber(word, line));
  if (value === undefined || parts.length < channels)
    throw refused(`has an incomplete color in line ${line}`);
  const color = toRgba(parts.slice(0, channels), line);
  if (keyword.startsWith("solid")) return { value, color, end: color };
  const second = parts.slice(channels, 2 * channels);
  return { value, color, end: second.length < channels ? undefined : toRgba(second, line) };
}

function readNumber(word: string | undefined, line: number): number {
  const value = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(word ?? "") ? Number(word) : Number.NaN;
  if (!(Math.abs(value) <= mostValue)) throw refused(`has an unreadable number in line ${line}`);
  return value;
}

function toRgba([red, green, blue, alpha = 255]: readonly number[], line: number): Rgba {
  const color = [Math.round(red!), Math.round(green!), Math.round(blue!), Math.round(alpha)] as const;
  if (color.some((channel) => channel < 0 || channel > 255)) {
    throw refused(`has a color outside 0 to 255 in line ${line}`);
  }
  return color;
}

/** Files are written upward or downward; within one value their order says which side of the break a color is on. */
function toAscending(entries: readonly PalEntry[]): PalEntry[] {
  const isDownward = entries[0]!.value > entries.at(-1)!.value;
  return (isDownward ? entries.toReversed() : entries).toSorted((left, right) => left.value - right.value);
}
