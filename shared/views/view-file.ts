// The file form of a citable view: JSON, the same that a link says.
import { CitableView } from "./citable-view.ts";
import { ViewError } from "./view-error.ts";

export const viewFileExtension = ".echotop-view";

/** Most characters of a file. A view of four panes has under 10,000. */
export const longestViewFile = 65_536;

export function toViewFile(view: CitableView): string {
  return `${JSON.stringify(view, undefined, 2)}\n`;
}

/** Throws a `ViewError`. */
export function parseViewFile(text: string): CitableView {
  if (text.length > longestViewFile) {
    throw new ViewError("view-too-large", "The file is too large for a view of Echotop.");
  }
  return parseView(parseJson(text));
}

/** Parses untrusted data as a view. Throws a `ViewError`. */
export function parseView(data: unknown): CitableView {
  if (hasNewerVersion(data)) {
    throw new ViewError(
      "view-version-unknown",
      "The view was made by a newer Echotop, which this one cannot read.",
    );
  }
  const parsed = CitableView.safeParse(data);
  if (!parsed.success)
    throw new ViewError("view-invalid", "This is not a view of Echotop, or it is damaged.");
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hasNewerVersion(data: unknown): boolean {
  if (typeof data !== "object" || data === null || !("version" in data)) return false;
  return typeof data.version === "number" && Number.isSafeInteger(data.version) && data.version > 1;
}
