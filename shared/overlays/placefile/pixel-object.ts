// An Object of a placefile: words, icons and drawings whose coordinates are pixels from one place.
import { toLabel, toPlainText } from "../reading/plain-text.ts";
import { parseStatement, splitArguments, unquote } from "./statement.ts";

const blocks: readonly string[] = ["object", "line", "polygon", "triangles", "image"];

export class PixelObject {
  readonly #words: string[] = [];
  readonly #hovers: string[] = [];
  /** Statements that an End closes, with the object itself. */
  #open = 1;
  #hasIcon = false;
  #hasDrawing = false;

  /** Takes the next line; returns true at the End of the object. */
  take(line: string | undefined): boolean {
    const statement = parseStatement(line ?? "");
    if (!statement) return false;
    const { keyword, rest } = statement;
    if (keyword === "end") {
      this.#open -= 1;
      return this.#open === 0;
    }
    if (blocks.includes(keyword)) this.#takeBlock(keyword, rest);
    else if (keyword === "icon") {
      this.#hasIcon = true;
      this.#hovers.push(unquote(splitArguments(rest, 6)[5] ?? ""));
    } else if (keyword === "text") {
      const [, , , words = "", hover = ""] = splitArguments(rest, 5);
      this.#words.push(unquote(words));
      this.#hovers.push(unquote(hover));
    }
    return false;
  }

  get hasDrawing(): boolean {
    return this.#hasDrawing || this.#hasIcon;
  }

  get isWordsAlone(): boolean {
    return !this.hasDrawing && this.#words.length > 0;
  }

  get label(): string | undefined {
    return toLabel(this.#words.join(" "));
  }

  get text(): string | undefined {
    return toPlainText([...new Set(this.#hovers)].join("\n"));
  }

  #takeBlock(keyword: string, rest: string): void {
    this.#open += 1;
    this.#hasDrawing ||= keyword !== "object";
    if (keyword === "line") this.#hovers.push(unquote(splitArguments(rest, 3)[2] ?? ""));
  }
}
