// HTML templates that escape every value except HTML.

/** Text that is safe in an element and in a quoted attribute. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | readonly Part[];

/** Renders undefined as nothing and joins lists. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    strings
      .map((literal, index) => squeeze(literal) + (index < parts.length ? toText(parts[index]) : ""))
      .join(""),
  );
}

/** Removes the source's indentation and writes void elements as HTML does. */
function squeeze(literal: string): string {
  return literal.replace(/\s*\n\s*/g, "\n").replace(/\s*\/>/g, ">");
}

function toText(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "number") return String(part);
  return typeof part === "string" ? escapeHtml(part) : part.map(toText).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Also replaces characters that HTML forbids and those that reverse the direction of text. */
function escapeHtml(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\p{Cn}\u202a-\u202e\u2066-\u2069]/gu, "\u{fffd}")
    .replace(/[&<>"']/g, (character) => entities[character]!);
}
