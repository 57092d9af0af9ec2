// A window that a person types in: its event id from its label, and what is still wrong with it.
import { isEventId } from "../../shared/contract/identifiers.ts";
import { maxWindowMs, type RegisterInput } from "../../shared/contract/actions.ts";

/** `start` and `end` as they are typed: `2024-05-20 21:00`, and mean UTC. */
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

/** Milliseconds since the Unix epoch; undefined for what is no minute of the calendar. */
function parseUtcMinute(text: string): number | undefined {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)[ T]+(\d\d:\d\d)Z?$/.exec(text.trim()) ?? [];
  if (day === undefined || minute === undefined) return undefined;
  const instantMs = Date.parse(`${day}T${minute}:00Z`);
  // A 30th of February is taken for the 1st of March.
  return !Number.isNaN(instantMs) && new Date(instantMs).toISOString().startsWith(day)
    ? instantMs
    : undefined;
}

/** What is to be mended first; undefined when the window can be registered. */
export function findWindowProblem({ label, id, start, end }: WindowDraft): string | undefined {
  if (label.trim() === "") return "Give it a label.";
  if (label.trim().length > 120) return "The label is too long.";
  if (!isEventId(id ?? toEventId(label)))
    return "The ID needs small letters, digits and inner hyphens, 64 at most.";
  const startMs = parseUtcMinute(start);
  const endMs = parseUtcMinute(end);
  if (startMs === undefined) return "Give it a start, such as 2024-05-20 21:00.";
  if (endMs === undefined) return "Give it an end, such as 2024-05-21 02:00.";
  if (endMs <= startMs) return "The end must be after the start.";
  return endMs - startMs > maxWindowMs ? "The window may be seven days at most." : undefined;
}

/** What is registered; only of a window without a problem. */
export function toRegistration({ label, id, start, end }: WindowDraft): RegisterInput {
  return {
    id: id ?? toEventId(label),
    label: label.trim(),
    startedAt: new Date(parseUtcMinute(start) ?? NaN).toISOString(),
    endedAt: new Date(parseUtcMinute(end) ?? NaN).toISOString(),
  };
}
