// A look at any number of records without holding anybody up: stretch after stretch, with room for other work in between, for
// a bounded time.
import { setImmediate as breathe } from "node:timers/promises";
import { AppError } from "../../../../shared/app-error.ts";
import type { TimeRange } from "./conditions.ts";
import type { Position, RecordTable, Stretch } from "./record-table.ts";

export interface ScanOptions extends TimeRange, Pick<Stretch, "zone" | "scope" | "order"> {
  /** Go on after this record. */
  readonly after?: Position | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Characters of the patterns that every record is held against; none unless given. */
  readonly patternLength?: number | undefined;
  /** Ten seconds unless given. */
  readonly maxMs?: number | undefined;
}

/** Records that are looked at in one go: some milliseconds. */
const stretchLength = 4_000;
/** Characters of patterns, times records, in one go: below a tenth of a second, whatever the longest paths hold. */
const stretchPatterns = 8_000;
const usualMs = 10_000;

/**
 * Stretches that hold every record of the time, one after the other.
 * @throws AppError `invalid-input` when it takes too long; the signal's reason
 */
export async function* scan(
  table: Pick<RecordTable, "findEnd">,
  options: ScanOptions,
): AsyncGenerator<Stretch> {
  const { zone, scope, order, signal, patternLength = 0 } = options;
  const length = Math.max(1, Math.min(stretchLength, Math.floor(stretchPatterns / patternLength)));
  const deadline = AbortSignal.timeout(options.maxMs ?? usualMs);
  const begin: Position = { at: options.sinceMs, seq: 0 };
  // No record has it: numbers begin at 1.
  const end: Position = { at: options.untilMs, seq: 0 };
  let from = options.after ?? (order === "asc" ? begin : end);
  const last = order === "asc" ? end : begin;
  for (;;) {
    signal?.throwIfAborted();
    if (deadline.aborted) {
      throw new AppError("invalid-input", "There are too many records to look at: ask for a shorter time.");
    }
    const rest: Stretch = { zone, scope, order, from, to: last };
    const to = table.findEnd(rest, length);
    yield to === undefined ? rest : { ...rest, to };
    if (to === undefined) return;
    from = to;
    await breathe();
  }
}
