// Splits the lines of a placefile: comments, keywords, arguments in quotes.

export interface Statement {
  /** In lower case, such as `iconfile`. */
  readonly keyword: string;
  readonly rest: string;
}

/** The color of statements before the first Color. */
export const white = "#ffffff";

/** Removes a comment, which begins at a semicolon outside quotes. */
export function stripComment(line: string): string {
  let isQuoted = false;
  for (let index = 0; index < line.length; index += 1) {
    if (line[index] === '"') isQuoted = !isQuoted;
    else if (line[index] === ";" && !isQuoted) return line.slice(0, index).trim();
  }
  return line.trim();
}

export function parseStatement(line: string): Statement | undefined {
  const found = /^([a-z]{3,14})\s*:(.*)$/is.exec(line);
  return found ? { keyword: found[1]!.toLowerCase(), rest: found[2]!.trim() } : undefined;
}

/** Splits at commas outside quotes, into at most `most` arguments; the last one keeps its commas. */
export function splitArguments(rest: string, most: number): string[] {
  const parts: string[] = [];
  let begin = 0;
  let isQuoted = false;
  for (let index = 0; index < rest.length && parts.length < most - 1; index += 1) {
    if (rest[index] === '"') isQuoted = !isQuoted;
    else if (rest[index] === "," && !isQuoted) {
      parts.push(rest.slice(begin, index).trim());
      begin = index + 1;
    }
  }
  return [...parts, rest.slice(begin).trim()];
}

/** Removes the quotes around an argument, and makes `\n` a line break. */
export function unquote(argument: string): string {
  const inner = argument.startsWith('"') ? argument.slice(1).replace(/"\s*$/, "") : argument;
  return inner.replaceAll("\\n", "\n");
}

/** Returns numbers separated by commas or blanks; undefined unless all are numbers and at least `least`. */
export function readNumbers(text: string, least: number): number[] | undefined {
  const numbers = text
    .split(/[\s,]+/)
    .filter((part) => part !== "")
    .map(Number);
  return numbers.length >= least && numbers.every(Number.isFinite) ? numbers : undefined;
}

/** Converts red, green, blue and perhaps alpha, from 0 to 255. */
export function toColor(parts: readonly number[]): string | undefined {
  if (parts.length < 3) return undefined;
  const hex = parts
    .slice(0, 4)
    .map((part) =>
      Math.min(255, Math.max(0, Math.round(part)))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("");
  return `#${hex.length === 8 && hex.endsWith("ff") ? hex.slice(0, 6) : hex}`;
}
