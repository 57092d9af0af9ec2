// Patterns in which `*` matches any characters, or none. The literal parts are searched in order, each at its first
// place: that finds a match if one exists, without backtracking.
import { createTextSearch, toAsciiLower, type TextSearch } from "./expression-text.ts";

export type WildcardPattern =
  | { readonly ok: true; readonly matches: (value: string) => boolean }
  /** `problem` is a sentence. */
  | { readonly ok: false; readonly problem: string };

/** Compiles a pattern that the whole value must match. `\*` is an asterisk and `\\` a backslash. */
export function parseWildcard(pattern: string, { strict }: { strict: boolean }): WildcardPattern {
  const parts = toParts(strict ? pattern : toAsciiLower(pattern));
  if (typeof parts === "string") return { ok: false, problem: parts };
  const matches = createMatcher(parts);
  return { ok: true, matches: strict ? matches : (value) => matches(toAsciiLower(value)) };
}

/** Returns the literal parts between the asterisks, or what is wrong. */
function toParts(pattern: string): [string, ...string[]] | string {
  const parts: [string, ...string[]] = [""];
  let literal = "";
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    const next = pattern.charAt(at + 1);
    if (char === "*") {
      if (next === "*") return 'A wildcard pattern may not contain "**".';
      parts[parts.length - 1] = literal;
      parts.push("");
      literal = "";
    } else if (char === "\\") {
      if (next !== "*" && next !== "\\")
        return String.raw`A backslash in a wildcard pattern must be followed by * or \.`;
      literal += next;
      at += 1;
    } else literal += char;
  }
  parts[parts.length - 1] = literal;
  return parts;
}

function createMatcher([first, ...rest]: [string, ...string[]]): (value: string) => boolean {
  const last = rest.pop();
  if (last === undefined) return (value) => value === first;
  const middle = rest.map((part) => ({ length: part.length, search: createTextSearch(part) }));
  return (value) => {
    const end = value.length - last.length;
    if (end < first.length || !value.startsWith(first) || !value.endsWith(last)) return false;
    return endOf(value, first.length, middle) <= end;
  };
}

interface Part {
  readonly length: number;
  readonly search: TextSearch;
}

/** Returns the offset after the last part; Infinity if one is missing. */
function endOf(value: string, from: number, parts: readonly Part[]): number {
  let at = from;
  for (const { length, search } of parts) {
    const found = search(value, at);
    if (found === -1) return Number.POSITIVE_INFINITY;
    at = found + length;
  }
  return at;
}
