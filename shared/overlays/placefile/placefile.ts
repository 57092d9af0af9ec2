// Reads a GRLevelX placefile: lines of statements that set a color, a time or a threshold, and draw with them. Nothing
// that a placefile names is fetched: pictures are not drawn, and icons are plain marks.
import type { OverlayContent, OverlayShape } from "../overlay.ts";
import { readInstant } from "../reading/read-instant.ts";
import { toLabel, toPlainText } from "../reading/plain-text.ts";
import { refuse, ShapeGatherer, type OverlayFile } from "../reading/shape-gatherer.ts";
import { readBlock, type BlockKind } from "./placefile-blocks.ts";
import { PixelObject } from "./pixel-object.ts";
import { parseStatement, readNumbers, splitArguments, stripComment, toColor, unquote } from "./statement.ts";

/** Thresholds from here on are those of a placefile that shows a shape at every height. */
const noThresholdNm = 999;
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
  #color: string | undefined;
  #thresholdNm: number | undefined;
  #times: Pick<OverlayShape, "fromMs" | "toMs"> | "unreadable" = {};
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
        this.#color = toColor(readNumbers(rest, 3) ?? []);
        return this.#color !== undefined;
      case "threshold":
        return this.#readThreshold(rest);
      case "timerange":
        this.#readTimeRange(rest);
        return true;
      case "font":
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

  #readThreshold(rest: string): boolean {
    const [nm] = readNumbers(rest, 1) ?? [];
    if (nm === undefined || nm < 0) return false;
    this.#thresholdNm = nm >= noThresholdNm ? undefined : nm;
    return true;
  }

  /** A TimeRange without times ends the one before. */
  #readTimeRange(rest: string): void {
    if (rest === "") {
      this.#times = {};
      return;
    }
    const [first = "", last = ""] = rest.split(/[\s,]+/);
    const fromMs = readInstant(first);
    const toMs = readInstant(last, "last");
    this.#times =
      fromMs !== undefined && toMs !== undefined && fromMs <= toMs ? { fromMs, toMs } : "unreadable";
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
    const [latitude = "", longitude = "", , words = "", hover = ""] = splitArguments(rest, 5);
    return this.#drawPoint(`${latitude},${longitude}`, {
      label: toLabel(unquote(words)),
      text: toPlainText(unquote(hover)),
      style: this.#style({ mark: "none" }),
    });
  }

  /** Coordinates inside an object are pixels from its place: all of it is one mark there. */
  #readObject(rest: string): boolean {
    const object = new PixelObject();
    for (let line = this.#next(); !object.take(line); line = this.#next())
      if (line === undefined) throw this.#truncated("Object");
    if (object.hasDrawing) this.#gatherer.note("Drawings in pixels are plain marks at their place");
    const { label, text, isWordsAlone } = object;
    const mark = isWordsAlone ? ("none" as const) : undefined;
    return this.#drawPoint(rest, { label, text, style: this.#style({ mark }) });
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
    else this.#gatherer.add({ ...shape, ...this.#times, thresholdNm: this.#thresholdNm });
  }

  #style(style: OverlayShape["style"]): OverlayShape["style"] {
    return { color: this.#color, ...style };
  }

  #truncated(kind: string): Error {
    return refuse(this.#gatherer.name, `ends in the middle of its last statement, ${kind}`);
  }
}
