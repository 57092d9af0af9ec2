// Copies a whole catalog with its bytes into an empty place, or continues an earlier copy. Compares what the target has
// first: if anything is not from the source, nothing is written. Other processes may write to the source meanwhile; the
// copy then has every event as it was at some time.
import { toEventState } from "../rows/catalog-rows.ts";
import { compareEvent, compareLog, type ComparedEvent, type Difference } from "./compare-places.ts";
import type { CopiedBytes } from "./copy-bytes.ts";
import { copyEvent, type EventCopy } from "./copy-event.ts";
import type { OpenedPlaces } from "./open-places.ts";

export interface CopyOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the revisions that the target has, and with all of them. */
  readonly onProgress: (done: number, total: number) => void;
  /** Called for each event when it is done. */
  readonly onEvent: (eventId: string, copy: EventCopy) => void;
}

export interface CopyReport extends CopiedBytes {
  /** If there are any, nothing was written. */
  readonly differences: readonly Difference[];
  readonly events: number;
  readonly revisions: number;
  readonly assets: number;
  readonly logEntries: number;
}

const assetsAtOnce = 200;
const entriesAtOnce = 500;

/** @throws AppError of the stores; `conflict` if something else writes to the target; the signal's reason */
export async function copyStores(places: OpenedPlaces, options: CopyOptions): Promise<CopyReport> {
  const { differences, events } = await compare(places, options.signal);
  const sum = { events: 0, revisions: 0, frames: 0, sources: 0, byteLength: 0, assets: 0, logEntries: 0 };
  if (differences.length > 0) return { ...sum, differences };
  const [all, present] = [await places.from.rows.countRows(), await places.to.rows.countRows()];
  let done = present.revisions;
  const onRevisions = (count: number): void => {
    done += count;
    options.onProgress(done, Math.max(done, all.revisions));
  };
  for (const event of events) {
    const copy = await copyEvent(event, { ...places, signal: options.signal, onRevisions });
    sum.events += 1;
    for (const key of ["revisions", "frames", "sources", "byteLength"] as const) sum[key] += copy[key];
    options.onEvent(event.source.id, copy);
  }
  sum.assets = await copyAssets(places, options.signal);
  sum.logEntries = await copyLog(places, options.signal);
  return { ...sum, differences };
}

async function compare(
  { from, to }: OpenedPlaces,
  signal: AbortSignal | undefined,
): Promise<{ readonly differences: readonly Difference[]; readonly events: readonly ComparedEvent[] }> {
  const differences: Difference[] = [];
  const compared = new Map<string, ComparedEvent>();
  for (const row of await to.rows.listEvents()) {
    signal?.throwIfAborted();
    const result = await compareEvent({ from: from.rows, to: to.rows }, toEventState(row));
    if ("what" in result) differences.push(result);
    else compared.set(row.id, result);
  }
  const log = await compareLog(from.rows, to.rows);
  if (log) differences.push(log);
  const events = (await from.rows.listEvents()).map(
    (row) => compared.get(row.id) ?? { source: toEventState(row), target: undefined, kept: undefined },
  );
  return { differences, events };
}

/** Returns the number of assets that were written. */
async function copyAssets({ from, to }: OpenedPlaces, signal: AbortSignal | undefined): Promise<number> {
  let count = 0;
  for (let after = 0; ;) {
    signal?.throwIfAborted();
    const assets = await from.rows.listAssets(after, assetsAtOnce);
    const last = assets.at(-1);
    if (!last) return count;
    count += await to.writer.writeAssets(assets);
    after = last.discovery;
  }
}

/** Returns the number of entries that were written. */
async function copyLog({ from, to }: OpenedPlaces, signal: AbortSignal | undefined): Promise<number> {
  let count = 0;
  for (let after = (await to.rows.findNewestLogEntry())?.id ?? 0; ;) {
    signal?.throwIfAborted();
    const entries = await from.rows.listLog(after, entriesAtOnce);
    const last = entries.at(-1);
    if (!last) return count;
    await to.writer.writeLog(entries);
    count += entries.length;
    after = last.id;
  }
}
