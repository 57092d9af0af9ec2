// An Object of a placefile: words, icons and drawings whose coordinates are pixels from one place, right and up.
import type { OverlayShape } from "../overlay.ts";
import { toLabel, toPlainText } from "../reading/plain-text.ts";
import { readNumbers, splitArguments, unquote, type Statement } from "./statement.ts";

/** A shape at the place of the object. */
export type ObjectPart = Omit<OverlayShape, "geometry">;

/** Words are as far from the place as a person still takes them for its words. */
const farthestPx = 500;
const blocks: readonly string[] = ["object", "line", "polygon", "triangles", "image"];

export class PixelObject {
  readonly #words: ObjectPart[] = [];
  readonly #hovers: string[] = [];
  /** Icons and drawings, which are one plain mark. */
  #mark: ObjectPart | undefined;
  /** Statements that an End closes, with the object itself. */
  #open = 1;
  #isRead = true;

  /** Takes the next statement, drawn as `part` says; returns true at the End of the object. */
  take({ keyword, rest }: Statement, part: ObjectPart): boolean {
    if (keyword === "end") {
      this.#open -= 1;
      return this.#open === 0;
    }
    if (blocks.includes(keyword)) {
      this.#open += 1;
      if (keyword === "line") this.#hovers.push(unquote(splitArguments(rest, 3)[2] ?? ""));
      if (keyword !== "object") this.#mark ??= part;
    } else if (keyword === "icon") {
      this.#hovers.push(unquote(splitArguments(rest, 6)[5] ?? ""));
      this.#mark ??= { ...part, style: undefined };
    } else if (keyword === "text") {
      const [x = "", y = "", , words = "", hover = ""] = splitArguments(rest, 5);
      this.#takeWords(`${x},${y}`, { words, hover }, part);
    } else if (keyword === "place") {
      const [x = "", y = "", words = ""] = splitArguments(rest, 3);
      this.#takeWords(`${x},${y}`, { words, hover: "" }, part);
    }
    return false;
  }

  get hasDrawing(): boolean {
    return this.#mark !== undefined;
  }

  /** False if a statement inside could not be read. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Returns the mark and the words; a mark with its only words is one part, such as a spotter with a name. */
  finish(): readonly ObjectPart[] {
    const text = toPlainText([...new Set(this.#hovers)].join("\n"));
    const mark = this.#mark && { ...this.#mark, text };
    const [first, ...others] = this.#words;
    if (mark && first && others.length === 0)
      return [{ ...first, text: text ?? first.text, style: { ...first.style, mark: undefined } }];
    return mark ? [mark, ...this.#words] : this.#words;
  }

  #takeWords(
    offset: string,
    { words, hover }: { readonly words: string; readonly hover: string },
    part: ObjectPart,
  ): void {
    const [right, up] = readNumbers(offset, 2) ?? [];
    const label = toLabel(unquote(words));
    if (right === undefined || up === undefined) this.#isRead = false;
    else if (label !== undefined) {
      const labelOffsetPx = [toOffset(right), toOffset(up)] as const;
      this.#words.push({
        ...part,
        ...{ label, text: toPlainText(unquote(hover)) },
        style: { ...part.style, mark: "none", labelOffsetPx },
      });
    }
  }
}

function toOffset(px: number): number {
  return Math.max(-farthestPx, Math.min(farthestPx, px));
}
