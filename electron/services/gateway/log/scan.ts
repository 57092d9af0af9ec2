// Scans any number of records without blocking: piece by piece, with time for other work between them, and for a
// limited time.
import { setImmediate as breathe } from "node:timers/promises";
import { AppError } from "../../../../shared/app-error.ts";
import { logLimits } from "../gateway-limits.ts";
import type { TimeRange } from "./conditions.ts";
import type { Position, RecordReader, Stretch } from "./record-store.ts";

export interface ScanOptions extends TimeRange, Pick<Stretch, "zone" | "scope" | "order"> {
  /** Continues after this record. */
  readonly after?: Position | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Characters of the patterns that every record is matched with. */
  readonly patternLength?: number | undefined;
  readonly maxMs?: number | undefined;
}

/**
 * Yields stretches that together contain every record of the time range.
 * @throws AppError `invalid-input` if it takes too long; the signal's reason
 */
export async function* scan(
  records: Pick<RecordReader, "findEnd">,
  options: ScanOptions,
): AsyncGenerator<Stretch> {
  const { zone, scope, order, signal, patternLength = 0, maxMs = logLimits.queryMs } = options;
  const fitting = Math.floor(logLimits.scanPatternChars / patternLength);
  const length = Math.max(1, Math.min(logLimits.scanRecords, fitting));
  const deadline = AbortSignal.timeout(maxMs);
  const begin: Position = { at: options.sinceMs, seq: 0 };
  // No record has it: `seq` begins at 1.
  const end: Position = { at: options.untilMs, seq: 0 };
  let from = options.after ?? (order === "asc" ? begin : end);
  const last = order === "asc" ? end : begin;
  for (;;) {
    signal?.throwIfAborted();
    if (deadline.aborted) {
      throw new AppError("invalid-input", "There are too many records to search; ask for a shorter time.");
    }
    const rest: Stretch = { zone, scope, order, from, to: last };
    const to = await records.findEnd(rest, length);
    yield to === undefined ? rest : { ...rest, to };
    if (to === undefined) return;
    from = to;
    await breathe();
  }
}
