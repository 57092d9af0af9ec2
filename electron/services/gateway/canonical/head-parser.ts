// From text in pieces to the finding: the HTML standard's own parser, stopped at the first thing that decides. Scripts
// count as enabled, as in a reader's browser, so that what is in a `noscript` is text and no link.
import { Parser, TokenizerMode } from "parse5";
import type { CanonicalFinding } from "./canonical.ts";
import { HeadTree, type HeadNodes } from "./head-tree.ts";
import { skipInHead, skipRawText } from "./skip.ts";

const rawTextStates: readonly number[] = [
  TokenizerMode.RCDATA,
  TokenizerMode.RAWTEXT,
  TokenizerMode.SCRIPT_DATA,
];
/** What may follow a `<` that begins a tag, a comment, a document type or an instruction. */
const markupSign = /[A-Za-z/!?]/;
/** The tokenizer keeps what it has not finished, and copies all of that for each piece: beyond so many signs it gets few. */
const mostKept = 4_096;

export class HeadParser {
  readonly #tree: HeadTree;
  readonly #parser: Parser<HeadNodes>;
  #finding: CanonicalFinding | undefined;
  /** Text that the parser has not been given: the beginning of something. */
  #held = "";
  /** Nothing can be said of what is held before a `>` comes. */
  #needsTagEnd = false;
  /** The parser stands within text, and not behind a `>`: it may be amid a character reference. */
  #isWithinText = false;

  constructor() {
    this.#tree = new HeadTree((finding) => {
      this.#finding ??= finding;
      this.#parser.tokenizer.pause();
    });
    this.#parser = new Parser<HeadNodes>({ treeAdapter: this.#tree, scriptingEnabled: true });
    // What has been parsed is let go of early: each piece is put behind what is kept, which would be copied for each.
    this.#parser.tokenizer.preprocessor.bufferWaterline = 512;
  }

  /** The same for the same text, however it is cut. */
  write(text: string): CanonicalFinding | undefined {
    if (this.#finding || text === "") return this.#finding;
    this.#held += text;
    if (this.#needsTagEnd && !text.includes(">")) return undefined;
    this.#needsTagEnd = false;
    const held = this.#held;
    let at = 0;
    while (at < held.length && !this.#isDecided()) {
      const next = this.#step(held, at);
      if (next === at) break;
      at = next;
    }
    this.#held = this.#isDecided() ? "" : held.slice(at);
    return this.#finding;
  }

  #isDecided(): boolean {
    return this.#finding !== undefined;
  }

  /** Deals with one thing of the text and gives the index behind it; the same index, where more is needed. */
  #step(text: string, at: number): number {
    const { state } = this.#parser.tokenizer;
    if (this.#isWithinText || state === TokenizerMode.DATA) {
      if (!this.#isWithinText && this.#tree.isInHead) {
        const next = skipInHead(text, at);
        if (next > at) return next;
      }
      if (!text.startsWith("<", at)) return this.#giveText(text, at, text.indexOf("<", at));
      if (at + 1 === text.length) return at;
      if (!markupSign.test(text.charAt(at + 1))) {
        return this.#giveText(text, at, text.indexOf("<", at + 1));
      }
    } else if (rawTextStates.includes(state)) {
      const next = skipRawText(text, at);
      if (next > at) return next;
    }
    return this.#giveMarkup(text, at);
  }

  /** Whatever is not text is over at a `>` at the earliest; something long is given with all that is there. */
  #giveMarkup(text: string, at: number): number {
    const { tokenizer } = this.#parser;
    const isLong = tokenizer.preprocessor.html.length > mostKept;
    const end = (isLong ? text.lastIndexOf(">") : text.indexOf(">", at)) + 1;
    this.#needsTagEnd = end <= at;
    if (this.#needsTagEnd) return at;
    this.#isWithinText = false;
    tokenizer.write(text.slice(at, end), false);
    if (isLong && !this.#isDecided()) tokenizer.flushCharacters();
    return end;
  }

  /** Text that is no white space opens the body, and is not kept waiting for a tag to say so. `end` -1: it goes on. */
  #giveText(text: string, at: number, end: number): number {
    const behind = end === -1 ? text.length : end;
    this.#isWithinText = true;
    this.#parser.tokenizer.write(text.slice(at, behind), false);
    if (!this.#isDecided()) this.#parser.tokenizer.flushCharacters();
    return behind;
  }
}
