// Instants as the catalog keeps them (whole milliseconds since the Unix epoch) and as everybody else sees them (RFC 3339, UTC).
import { AppError } from "../../shared/app-error.ts";

/**
 * `2024-02-28T02:52:39Z`, with a fraction only where there is one: the same instant is always the same text.
 * @throws AppError `stored-data-invalid` for a number that is no instant
 */
export function toInstant(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) {
    throw new AppError("stored-data-invalid", "A stored instant is out of range.", { context: { ms } });
  }
  return date.toISOString().replace(".000Z", "Z");
}

export function toInstantOrNull(ms: number | null): string | null {
  return ms === null ? null : toInstant(ms);
}

export function toInstantOrUndefined(ms: number | null): string | undefined {
  return ms === null ? undefined : toInstant(ms);
}

/** @throws AppError `invalid-input` for text that is no instant */
export function parseInstant(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new AppError("invalid-input", `"${text}" is not an instant.`);
  return ms;
}
