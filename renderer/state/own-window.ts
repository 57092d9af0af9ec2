// A window that a person types in: its event id from its label, and what is still wrong with it.
import { isEventId } from "../../shared/contract/identifiers.ts";
import { maxWindowMs } from "../../shared/contract/actions.ts";

/** `start` and `end` as a date-and-time field gives them, `2024-05-20T21:00`, and mean UTC. */
export interface WindowDraft {
  readonly label: string;
  /** Undefined while it follows the label. */
  readonly id: string | undefined;
  readonly start: string;
  readonly end: string;
}

/** `Plains hail, 28 Feb` gives `plains-hail-28-feb`; nothing that can be used gives an empty text. */
export function toEventId(label: string): string {
  return label
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, "");
}

/** Milliseconds since the Unix epoch; undefined for what is no whole minute. */
function parseUtcMinute(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return undefined;
  const instantMs = Date.parse(`${text}:00Z`);
  return Number.isNaN(instantMs) ? undefined : instantMs;
}

/** What is to be mended first; undefined when the window can be registered. */
export function findWindowProblem({ label, id, start, end }: WindowDraft): string | undefined {
  if (label.trim() === "") return "Give it a label.";
  if (label.trim().length > 120) return "The label is too long.";
  if (!isEventId(id ?? toEventId(label)))
    return "The ID needs small letters, digits and inner hyphens, 64 at most.";
  const startMs = parseUtcMinute(start);
  const endMs = parseUtcMinute(end);
  if (startMs === undefined) return "Give it a start.";
  if (endMs === undefined) return "Give it an end.";
  if (endMs <= startMs) return "The end must be after the start.";
  return endMs - startMs > maxWindowMs ? "The window may be seven days at most." : undefined;
}
