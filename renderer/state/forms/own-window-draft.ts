// The form for an event window that a person types in: derives the event id, and validates the draft.
import { isEventId } from "../../../shared/contract/identifiers.ts";
import { maxWindowMs, type RegisterInput } from "../../../shared/contract/actions.ts";

/** `start` and `end` are text in UTC, such as `2024-05-20 21:00` or `2024-05-20 2100Z`. */
export interface WindowDraft {
  readonly label: string;
  /** Undefined while it is derived from the label. */
  readonly id: string | undefined;
  readonly start: string;
  readonly end: string;
}

/** Converts `Plains hail, 28 Feb` to `plains-hail-28-feb`; returns an empty string if no character is usable. */
export function toEventId(label: string): string {
  return label
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, "");
}

/** A day, and a time with or without a colon, with Z, UTC or neither. */
const typedMinute = /^(\d{4}-\d\d-\d\d)[ T]+(\d\d):?(\d\d) ?(?:Z|UTC)?$/i;

/** Returns milliseconds since the Unix epoch, or undefined if the text is not a valid minute. */
function parseUtcMinute(text: string): number | undefined {
  const [, day, hour, minute] = typedMinute.exec(text.trim()) ?? [];
  if (day === undefined || hour === undefined || minute === undefined) return undefined;
  const instantMs = Date.parse(`${day}T${hour}:${minute}:00Z`);
  // Date.parse reads February 30 as March 1.
  return !Number.isNaN(instantMs) && new Date(instantMs).toISOString().startsWith(day)
    ? instantMs
    : undefined;
}

/** Returns the first problem of the draft, or undefined if the window can be registered. */
export function findWindowProblem({ label, id, start, end }: WindowDraft): string | undefined {
  if (label.trim() === "") return "Enter a label.";
  if (label.trim().length > 120) return "The label is too long.";
  if (!isEventId(id ?? toEventId(label)))
    return "The ID may have at most 64 lowercase letters, digits and inner hyphens.";
  const startMs = parseUtcMinute(start);
  const endMs = parseUtcMinute(end);
  if (startMs === undefined) return "Enter a start, such as 2024-05-20 21:00.";
  if (endMs === undefined) return "Enter an end, such as 2024-05-21 02:00.";
  if (endMs <= startMs) return "The end must be after the start.";
  return endMs - startMs > maxWindowMs ? "The window must not exceed seven days." : undefined;
}

/** Converts a draft without a problem to a registration. */
export function toRegistration({ label, id, start, end }: WindowDraft): RegisterInput {
  return {
    id: id ?? toEventId(label),
    label: label.trim(),
    startedAt: new Date(parseUtcMinute(start) ?? NaN).toISOString(),
    endedAt: new Date(parseUtcMinute(end) ?? NaN).toISOString(),
  };
}
