// Reads a GRLevelX placefile: lines of statements that set a color, a time or a threshold, and draw with them. Nothing
// that a placefile names is fetched: pictures are not drawn, and icons are plain marks.
import type { OverlayContent, OverlayShape } from "../overlay.ts";
import { readInstant } from "../reading/read-instant.ts";
import { toLabel, toPlainText } from "../reading/plain-text.ts";
import { refuse, ShapeGatherer, type OverlayFile } from "../reading/shape-gatherer.ts";
import { readBlock, type BlockKind } from "./placefile-blocks.ts";
import { PixelObject, type ObjectPart } from "./pixel-object.ts";
import {
  parseStatement,
  readNumbers,
  splitArguments,
  stripComment,
  toColor,
  unquote,
  white,
  type Statement,
} from "./statement.ts";

/** Thresholds from here on are those of a placefile that shows a shape at every zoom, as 0 is. */
const noThresholdNm = 999;
/** Heights of words that can be read and leave room for others. */
const wordsPx = { least: 8, most: 40 } as const;
const everyTime = { fromMs: undefined, toMs: undefined };
/** Statements for all that come after them, also after the object in which they stand. */
const lasting: readonly string[] = ["color", "font", "hsluv", "iconfile", "threshold", "timerange"];
const notes = {
  icons: "Icons are drawn as plain marks: their pictures are not fetched",
  images: "Pictures are not drawn",
  unreadable: "Lines that cannot be read are left out",
  unknown: "Statements that are not known are left out",
  times: "Shapes after a TimeRange that cannot be read are left out",
} as const;

/** A placefile says its statements with these words; a text without any of them is none. */
const opening =
  /^[ \t]*(?:title|refresh|refreshseconds|color|font|iconfile|icon|text|place|line|polygon|triangles|image|object|threshold|timerange)[ \t]*:/im;

export function isPlacefile(text: string): boolean {
  return opening.test(text);
}

export function readPlacefile({ name, text }: OverlayFile): OverlayContent {
  if (!isPlacefile(text)) throw refuse(name, "is not a placefile: it has none of the statements of one");
  return new PlacefileReader(name, text.split(/\r\n|\r|\n/)).read();
}

class PlacefileReader {
  readonly #gatherer: ShapeGatherer;
  readonly #lines: readonly string[];
  #at = 0;
  /** White until the first Color, as in the programs that placefiles are for. */
  #color = white;
  /** False while colors are hues of HSLuv, which are not read. */
  #isRgb = true;
  /** Heights of the fonts by their numbers, in pixels. */
  readonly #fontsPx = new Map<number, number>();
  #thresholdNm: number | undefined;
  #times: Pick<OverlayShape, "fromMs" | "toMs"> | "unreadable" = everyTime;
  #title: string | undefined;
  #refreshSeconds: number | undefined;

  constructor(name: string, lines: readonly string[]) {
    this.#gatherer = new ShapeGatherer(name);
    this.#lines = lines;
  }

  read(): OverlayContent {
    for (let line = this.#next(); line !== undefined; line = this.#next()) this.#readLine(line);
    return this.#gatherer.finish("placefile", { title: this.#title, refreshSeconds: this.#refreshSeconds });
  }

  /** Returns the next line with content, without its comment. */
  #next(): string | undefined {
    while (this.#at < this.#lines.length) {
      const line = stripComment(this.#lines[this.#at++]!);
      if (line !== "") return line;
    }
    return undefined;
  }

  #readLine(line: string): void {
    const statement = parseStatement(line);
    const isRead = statement ? this.#readStatement(statement.keyword, statement.rest) : false;
    if (!isRead) this.#gatherer.note(notes.unreadable);
  }

  /** Returns false if the arguments cannot be read. */
  #readStatement(keyword: string, rest: string): boolean {
    switch (keyword) {
      case "title":
        this.#title = toLabel(rest);
        return true;
      case "refresh":
        return this.#readRefresh(rest, 60);
      case "refreshseconds":
        return this.#readRefresh(rest, 1);
      case "color":
        return this.#readColor(rest);
      case "threshold":
        return this.#readThreshold(rest);
      case "timerange":
        this.#readTimeRange(rest);
        return true;
      case "hsluv":
        this.#isRgb = !/^true\b/i.test(rest);
        this.#gatherer.note(notes.unknown);
        return true;
      case "font":
        return this.#readFont(rest);
      case "iconfile":
      case "end":
        return true;
      case "place":
        return this.#readPlace(rest);
      case "icon":
        return this.#readIcon(rest);
      case "text":
        return this.#readText(rest);
      case "object":
        return this.#readObject(rest);
      case "line":
      case "polygon":
      case "triangles":
      case "image":
        return this.#readBlock(keyword, rest);
      default:
        this.#gatherer.note(notes.unknown);
        return true;
    }
  }

  #readRefresh(rest: string, unitSeconds: number): boolean {
    const [pace] = readNumbers(rest, 1) ?? [];
    if (pace === undefined || pace <= 0) return false;
    this.#refreshSeconds = Math.round(pace * unitSeconds);
    return true;
  }

  /** A color that cannot be read leaves the one before. */
  #readColor(rest: string): boolean {
    const color = this.#isRgb ? toColor(readNumbers(rest, 3) ?? []) : undefined;
    this.#color = color ?? this.#color;
    return color !== undefined;
  }

  #readFont(rest: string): boolean {
    const [number = "", pixels = ""] = splitArguments(rest, 4);
    const [font, heightPx] = readNumbers(`${number},${pixels}`, 2) ?? [];
    if (font === undefined || heightPx === undefined) return false;
    this.#fontsPx.set(font, Math.max(wordsPx.least, Math.min(wordsPx.most, heightPx)));
    return true;
  }

  #readThreshold(rest: string): boolean {
    const [nm] = readNumbers(rest, 1) ?? [];
    if (nm === undefined) return false;
    this.#thresholdNm = nm <= 0 || nm >= noThresholdNm ? undefined : nm;
    return true;
  }

  /** The end of a TimeRange does not belong to it; one without times ends the one before. */
  #readTimeRange(rest: string): void {
    if (rest === "") {
      this.#times = everyTime;
      return;
    }
    const [first = "", last = ""] = rest.split(/[\s,]+/);
    const fromMs = readInstant(first);
    const endMs = readInstant(last, "last");
    this.#times =
      fromMs !== undefined && endMs !== undefined && fromMs < endMs
        ? { fromMs, toMs: endMs - 1 }
        : "unreadable";
  }

  #readPlace(rest: string): boolean {
    const [latitude = "", longitude = "", words = ""] = splitArguments(rest, 3);
    const label = toLabel(unquote(words));
    if (label === undefined) return false;
    return this.#drawPoint(`${latitude},${longitude}`, { label, style: this.#style({ mark: "none" }) });
  }

  #readIcon(rest: string): boolean {
    const [latitude = "", longitude = "", , , , hover = ""] = splitArguments(rest, 6);
    this.#gatherer.note(notes.icons);
    return this.#drawPoint(`${latitude},${longitude}`, { text: toPlainText(unquote(hover)) });
  }

  #readText(rest: string): boolean {
    const [latitude = "", longitude = "", font = "", words = "", hover = ""] = splitArguments(rest, 5);
    return this.#drawPoint(`${latitude},${longitude}`, {
      label: toLabel(unquote(words)),
      text: toPlainText(unquote(hover)),
      style: this.#style({ mark: "none", labelPx: this.#fontsPx.get(Number(font)) }),
    });
  }

  #readObject(rest: string): boolean {
    const object = new PixelObject();
    let isRead = true;
    for (let line = this.#next(); ; line = this.#next()) {
      if (line === undefined) throw this.#truncated("Object");
      const statement = parseStatement(line);
      // Rows of a drawing in pixels are no statements.
      if (!statement) continue;
      const { keyword, rest: inside } = statement;
      if (lasting.includes(keyword)) isRead = this.#readStatement(keyword, inside) && isRead;
      else if (object.take(statement, this.#toPart(statement))) break;
    }
    if (object.hasDrawing) this.#gatherer.note("Drawings in pixels are plain marks at their place");
    for (const part of object.finish()) isRead = this.#drawPoint(rest, part) && isRead;
    return isRead && object.isRead;
  }

  /** Returns what the statements before say of one in an object. */
  #toPart({ keyword, rest }: Statement): ObjectPart {
    const font = keyword === "text" ? Number(splitArguments(rest, 4)[2]) : Number.NaN;
    const times = this.#times === "unreadable" ? everyTime : this.#times;
    const style = this.#style({ labelPx: this.#fontsPx.get(font) });
    return { ...times, thresholdNm: this.#thresholdNm, style };
  }

  #readBlock(kind: BlockKind, rest: string): boolean {
    const rows: string[] = [];
    for (let line = this.#next(); !/^end\s*:/i.test(line ?? ""); line = this.#next()) {
      if (line === undefined) throw this.#truncated(kind);
      rows.push(line);
    }
    if (kind === "image") {
      this.#gatherer.note(notes.images);
      return true;
    }
    const block = readBlock(kind, { rest, rows, color: this.#color });
    for (const shape of block.shapes) this.#draw(shape);
    return block.isRead;
  }

  #drawPoint(place: string, shape: Omit<OverlayShape, "geometry">): boolean {
    const [latitude, longitude] = readNumbers(place, 2) ?? [];
    if (latitude === undefined || longitude === undefined) return false;
    this.#draw({ geometry: { type: "Point", coordinates: [longitude, latitude] }, ...shape });
    return true;
  }

  #draw(shape: OverlayShape): void {
    if (this.#times === "unreadable") this.#gatherer.note(notes.times);
    else this.#gatherer.add({ ...this.#times, thresholdNm: this.#thresholdNm, ...shape });
  }

  #style(style: OverlayShape["style"]): OverlayShape["style"] {
    return { color: this.#color, ...style };
  }

  #truncated(kind: string): Error {
    return refuse(this.#gatherer.name, `ends in the middle of its last statement, ${kind}`);
  }
}
