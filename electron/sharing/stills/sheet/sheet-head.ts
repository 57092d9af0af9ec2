// The head of a sheet: the strip of facts about the picture, notes below it, and a message on the map. Columns have
// the width of the widest text of all frames, so that nothing jumps in a loop.
import type { TextStyle, Typesetter } from "../ground/typesetter.ts";
import { noteColors, sheetColors, toBox, toTenths, type SheetLook } from "./sheet-look.ts";
import type { SheetFact, SheetHead, SheetNote } from "./sheet-words.ts";

export interface DrawnHead {
  readonly svg: string;
  /** Lower edge in pixels. */
  readonly bottomPx: number;
}

/** Distance of the head from the edges, in units. */
const edge = 12;
const semibold = { weight: "semibold", fill: sheetColors.text } as const;
const quiet = { weight: "medium", fill: sheetColors.quiet } as const;

export class HeadDrawer {
  readonly #look: SheetLook;
  readonly #typesetter: Typesetter;
  readonly #heads: readonly SheetHead[];
  readonly #widths: readonly number[];
  readonly #isRow: boolean;

  /** @param heads those of all frames */
  constructor(look: SheetLook, typesetter: Typesetter, heads: readonly SheetHead[]) {
    this.#look = look;
    this.#typesetter = typesetter;
    this.#heads = heads;
    const columns = heads[0]!.facts.map((_, index) => heads.map(({ facts }) => facts[index]!));
    this.#widths = columns.map((facts) => Math.max(...facts.map((fact) => this.#blockWidth(fact))));
    const title = Math.min(this.#titleWidth(heads[0]!.title), 320 * look.unitPx);
    const whole = this.#widths.reduce((sum, width) => sum + width, title);
    this.#isRow = !look.isNarrow && whole <= look.widthPx - 2 * edge * look.unitPx;
  }

  /** Lowest edge of all heads. */
  get bottomPx(): number {
    return Math.max(...this.#heads.map((head) => this.draw(head).bottomPx));
  }

  /** Lowest edge of the facts, above the notes. */
  get factsBottomPx(): number {
    return Math.max(...this.#heads.map((head) => this.#drawFacts(head).bottomPx));
  }

  draw(head: SheetHead): DrawnHead {
    const strip = this.#drawFacts(head);
    const notes = this.#drawNotes(head.notes, strip.bottomPx + 4 * this.#look.unitPx);
    return { svg: strip.svg + notes.svg, bottomPx: notes.bottomPx };
  }

  #drawFacts(head: SheetHead): DrawnHead {
    return this.#isRow ? this.#drawRow(head) : this.#drawLines(head);
  }

  /** Facts side by side, captions above. */
  #drawRow({ title, facts }: SheetHead): DrawnHead {
    const { unitPx, widthPx } = this.#look;
    const [top, height] = [edge * unitPx, 46 * unitPx];
    const others = this.#widths.reduce((sum, width) => sum + width, 0);
    const room = widthPx - 2 * edge * unitPx - others;
    const titleWidth = Math.min(room, this.#titleWidth(title));
    const parts: string[] = [];
    let left = edge * unitPx;
    const [caption, value] = [top + 17.5 * unitPx, top + 36 * unitPx];
    parts.push(toBox({ left, top, width: titleWidth + others, height }, sheetColors.line, unitPx));
    const inset = 14 * unitPx;
    const fitted = this.#typesetter.fit(title, titleWidth - 2 * inset, this.#size(16, "semibold"));
    parts.push(this.#text("Storm event", left + inset, caption, 11, quiet));
    parts.push(this.#text(fitted, left + inset, value, 16, semibold));
    left += titleWidth;
    facts.forEach((fact, index) => {
      const rule = `<rect x="${toTenths(left)}" y="${toTenths(top)}" width="${toTenths(unitPx)}" height="${toTenths(height)}" fill="${sheetColors.line}"/>`;
      parts.push(rule, this.#text(fact.caption, left + inset, caption, 11, quiet));
      parts.push(this.#drawValue(fact, left + inset, value));
      left += this.#widths[index]!;
    });
    return { svg: parts.join(""), bottomPx: top + height };
  }

  #drawValue({ value, detail, isWarning }: SheetFact, left: number, baseline: number): string {
    const fill = isWarning ? sheetColors.warning : sheetColors.text;
    const after = left + this.#measure(value, 15, "semibold") + 8 * this.#look.unitPx;
    return (
      this.#text(value, left, baseline, 15, { weight: "semibold", fill: sheetColors.text }) +
      (detail === undefined
        ? ""
        : this.#text(detail, after, baseline, 13, isWarning ? { weight: "medium", fill } : quiet))
    );
  }

  /** Facts one after the other, in as many lines as they need. */
  #drawLines({ title, facts }: SheetHead): DrawnHead {
    const { unitPx, widthPx } = this.#look;
    const margin = 6 * unitPx;
    const inset = 8 * unitPx;
    const room = widthPx - 2 * margin - 2 * inset;
    const lines: Piece[][] = [[]];
    let used = 0;
    for (const segment of [toTitlePieces(title), ...facts.map(toPieces)]) {
      const width = this.#widthOf(segment);
      if (used > 0 && used + 12 * unitPx + width > room) {
        lines.push([]);
        used = 0;
      }
      lines.at(-1)!.push(...segment);
      used += width + 12 * unitPx;
    }
    const step = 16 * unitPx;
    const parts = lines.map((pieces, index) => {
      let left = margin + inset;
      const baseline = margin + 4 * unitPx + (index + 0.76) * step;
      return pieces
        .map((piece) => {
          const fitted = this.#typesetter.fit(
            piece.text,
            margin + inset + room - left,
            this.#size(12, piece.style.weight),
          );
          const svg = this.#text(fitted, left, baseline, 12, piece.style);
          left += this.#measure(fitted, 12, piece.style.weight) + (piece.isLast ? 12 : 5) * unitPx;
          return svg;
        })
        .join("");
    });
    const widest = Math.min(room, Math.max(...lines.map((pieces) => this.#widthOf(pieces))));
    const height = lines.length * step + 8 * unitPx;
    const box = { left: margin, top: margin, width: widest + 2 * inset, height };
    return { svg: toBox(box, sheetColors.line, unitPx) + parts.join(""), bottomPx: margin + height };
  }

  #drawNotes(notes: readonly SheetNote[], top: number): DrawnHead {
    const { unitPx, widthPx } = this.#look;
    const margin = (this.#isRow ? edge : 6) * unitPx;
    const inset = 10 * unitPx;
    const gap = 4 * unitPx;
    const parts: string[] = [];
    let [left, y, bottomPx] = [margin, top, top - gap];
    for (const { text, tone } of notes) {
      const size = this.#size(12, "semibold");
      const lines = this.#typesetter.wrap(text, widthPx - 2 * margin - 2 * inset, size, 2);
      const width = Math.max(...lines.map((line) => this.#typesetter.measure(line, size))) + 2 * inset;
      const height = (lines.length * 16 + 8) * unitPx;
      if (left > margin && left + width > widthPx - margin) {
        left = margin;
        y = bottomPx + gap;
      }
      const { text: fill, border } = noteColors[tone];
      parts.push(toBox({ left, top: y, width, height }, border, unitPx));
      lines.forEach((line, index) => {
        const baseline = y + (16 + index * 16) * unitPx;
        parts.push(this.#text(line, left + inset, baseline, 12, { weight: "semibold", fill }));
      });
      bottomPx = Math.max(bottomPx, y + height);
      left += width + gap;
    }
    return { svg: parts.join(""), bottomPx };
  }

  #titleWidth(title: string): number {
    return this.#measure(title, 16, "semibold") + 28 * this.#look.unitPx;
  }

  #blockWidth({ caption, value, detail }: SheetFact): number {
    const own = this.#measure(value, 15, "semibold");
    const more = detail === undefined ? 0 : this.#measure(detail, 13, "medium") + 8 * this.#look.unitPx;
    return Math.max(own + more, this.#measure(caption, 11, "medium")) + 28 * this.#look.unitPx;
  }

  #widthOf(pieces: readonly Piece[]): number {
    const { unitPx } = this.#look;
    const sum = pieces.reduce(
      (width, { text, style, isLast }) =>
        width + this.#measure(text, 12, style.weight) + (isLast ? 12 : 5) * unitPx,
      0,
    );
    return sum - 12 * unitPx;
  }

  #size(units: number, weight: TextStyle["weight"]): Pick<TextStyle, "sizePx" | "weight"> {
    return { sizePx: units * this.#look.unitPx, weight };
  }

  #measure(text: string, units: number, weight: TextStyle["weight"]): number {
    return this.#typesetter.measure(text, this.#size(units, weight));
  }

  #text(text: string, x: number, y: number, units: number, style: Omit<TextStyle, "sizePx">): string {
    return this.#typesetter.set(text, x, y, { ...style, sizePx: units * this.#look.unitPx });
  }
}

/** A piece of a line. */
interface Piece {
  readonly text: string;
  readonly style: Pick<TextStyle, "weight" | "fill">;
  /** True for the last of a fact. */
  readonly isLast: boolean;
}

function toTitlePieces(title: string): Piece[] {
  return [{ text: title, style: semibold, isLast: true }];
}

function toPieces({ caption, value, detail, isWarning }: SheetFact): Piece[] {
  const named: Piece = { text: caption, style: quiet, isLast: false };
  const main: Piece = { text: value, style: semibold, isLast: detail === undefined };
  if (detail === undefined) return [named, main];
  const style = isWarning ? ({ weight: "medium", fill: sheetColors.warning } as const) : quiet;
  return [named, main, { text: detail, style, isLast: true }];
}
