// The error of an expression that does not compile: its place, the reason, and a caret under the fault.

/** A range of a text: offsets in UTF-16 code units, the end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Longer lines are shown only around the fault. */
const shownChars = 160;
const charsBeforeFault = 60;

/**
 * Its message is `Filter parsing error (LINE:COLUMN):`, the line of the fault, and below it carets and a sentence.
 * Lines and columns count from 1, columns in code points.
 */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  readonly line: number;
  readonly column: number;
  /** The sentence without the place. */
  readonly problem: string;

  constructor(text: string, span: Span, problem: string) {
    const place = locate(text, span);
    super(
      `Filter parsing error (${place.line}:${place.column}):\n${place.shown}\n${place.carets} ${problem}`,
    );
    this.line = place.line;
    this.column = place.column;
    this.problem = problem;
  }
}

interface Place {
  readonly line: number;
  readonly column: number;
  readonly shown: string;
  readonly carets: string;
}

function locate(text: string, { start, end }: Span): Place {
  const lineStart = start === 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1;
  const newline = text.indexOf("\n", start);
  const content = text.slice(lineStart, newline === -1 ? text.length : newline).replace(/\r$/, "");
  const before = Array.from(text.slice(lineStart, start));
  const marked = Array.from(text.slice(start, Math.min(end, lineStart + content.length)));
  const { shown, skipped } = excerpt(Array.from(content), before.length);
  const indent = before.slice(skipped).map((char) => (char === "\t" ? "\t" : " "));
  const room = Math.max(1, shown.length - indent.length);
  return {
    line: text.slice(0, lineStart).split("\n").length,
    column: before.length + 1,
    shown: printable(shown.join("")),
    carets: indent.join("") + "^".repeat(Math.min(Math.max(1, marked.length), room)),
  };
}

/** Returns the shown part of a line; `skipped` counts the code points left out before it. */
function excerpt(line: readonly string[], at: number): { shown: string[]; skipped: number } {
  const skipped = line.length > shownChars ? Math.max(0, at - charsBeforeFault) : 0;
  return { shown: line.slice(skipped, skipped + shownChars), skipped };
}

/** Replaces control characters, so that the text cannot control the terminal that shows it. */
function printable(line: string): string {
  return line.replace(/[^\P{C}\t]/gu, "\u{FFFD}");
}
