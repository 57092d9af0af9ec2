// Parses text in chunks with the HTML standard's own parser, and stops as soon as the canonical link is decided.
// Scripting counts as enabled, as in browsers, so the content of a `noscript` is text.
import { Parser, TokenizerMode } from "parse5";
import { HeadTree, type CanonicalFinding, type HeadNodes } from "./head-tree.ts";
import { skipInHead, skipRawText } from "./skip.ts";

const rawTextStates: readonly number[] = [
  TokenizerMode.RCDATA,
  TokenizerMode.RAWTEXT,
  TokenizerMode.SCRIPT_DATA,
];
/** The second character of a tag, a comment, a document type or a processing instruction. */
const markupSign = /[A-Za-z/!?]/;
/** The tokenizer copies its unfinished text for each chunk; beyond this many characters it gets larger ones. */
const mostKept = 4_096;

export class HeadParser {
  readonly #tree: HeadTree;
  readonly #parser: Parser<HeadNodes>;
  #finding: CanonicalFinding | undefined;
  /** The beginning of something that the parser has not been given yet. */
  #held = "";
  /** Nothing can be said about `#held` before a `>` arrives. */
  #needsTagEnd = false;
  /** The parser is inside text and not after a `>`: it may be inside a character reference. */
  #isWithinText = false;

  constructor() {
    this.#tree = new HeadTree((finding) => {
      this.#finding ??= finding;
      this.#parser.tokenizer.pause();
    });
    this.#parser = new Parser<HeadNodes>({ treeAdapter: this.#tree, scriptingEnabled: true });
    // Each chunk is appended to what the preprocessor keeps; dropping that early keeps the copies short.
    this.#parser.tokenizer.preprocessor.bufferWaterline = 512;
  }

  /** Returns the finding; it does not depend on how the text is cut. */
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

  /** Handles one item of the text and returns the index after it; the same index if more text is needed. */
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

  /** Gives the parser anything but text, up to the next `>`; a long item with everything that is there. */
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

  /** Gives the parser text at once: text other than white space opens the body. `end` -1: the text continues. */
  #giveText(text: string, at: number, end: number): number {
    const behind = end === -1 ? text.length : end;
    this.#isWithinText = true;
    this.#parser.tokenizer.write(text.slice(at, behind), false);
    if (!this.#isDecided()) this.#parser.tokenizer.flushCharacters();
    return behind;
  }
}
