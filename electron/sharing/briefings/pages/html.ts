// HTML by template: everything that is put into one is escaped, but for what is HTML already.

/** Text that is safe as content of an element and as a quoted attribute's value. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | readonly Part[];

/** Undefined is nothing; a list is its parts one after the other. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    strings
      .map((literal, index) => squeeze(literal) + (index < parts.length ? toText(parts[index]) : ""))
      .join(""),
  );
}

/** Without the source's indentation, and with the elements that have no end as HTML writes them. */
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

/** Characters that HTML does not allow, and those that turn the direction of what follows, are shown as missing ones. */
function escapeHtml(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\p{Cn}\u202a-\u202e\u2066-\u2069]/gu, "\u{fffd}")
    .replace(/[&<>"']/g, (character) => entities[character]!);
}
