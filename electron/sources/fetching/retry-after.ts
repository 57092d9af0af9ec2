// How long a service asks to be left alone: the Retry-After of its answer (RFC 9110, section 10.2.3).

/**
 * In milliseconds; undefined where it asks for nothing that can be understood. A date is held against the answer's own Date,
 * so that no clock of ours matters.
 */
export function parseRetryAfter(headers: Headers): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const waitMs = parseHttpDate(value) - parseHttpDate(headers.get("date") ?? "");
  return waitMs >= 0 ? waitMs : undefined;
}

/** NaN for what is no date as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`. */
function parseHttpDate(value: string): number {
  return /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(value) ? Date.parse(value) : NaN;
}
