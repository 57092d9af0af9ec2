// Converts instants between the catalog (whole milliseconds since the Unix epoch) and everything else (RFC 3339, UTC).
import { AppError } from "../../../shared/app-error.ts";

/** The last instant that a `Date` can hold. */
export const maxInstantMs = 8_640_000_000_000_000;

/**
 * Formats as `2024-02-28T02:52:39Z`, with a fraction only if needed: equal instants give equal text.
 * @throws AppError `stored-data-invalid` if the number is not an instant
 */
export function toInstant(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) {
    throw new AppError("stored-data-invalid", "A stored instant is out of range.", { context: { ms } });
  }
  const text = date.toISOString();
  return ms % 1_000 === 0 ? `${text.slice(0, -5)}Z` : text;
}

export function toInstantOrNull(ms: number | null): string | null {
  return ms === null ? null : toInstant(ms);
}

export function toInstantOrUndefined(ms: number | null): string | undefined {
  return ms === null ? undefined : toInstant(ms);
}

/** @throws AppError `invalid-input` if the text is not an instant */
export function parseInstant(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new AppError("invalid-input", `"${text}" is not an instant.`);
  return ms;
}
