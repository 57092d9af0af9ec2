// The journal of a feed: notes for its health report, and log entries until the catalog stores them.
import { productIds } from "../../../shared/contract/primitives.ts";
import type { FeedLogEntry } from "../../catalog/catalog.ts";
import { toInstant } from "../../catalog/plans/instants.ts";
import type { Effects } from "../../platform/effects.ts";
import { maxReportedCauses, maxWaitingEntries } from "./feed-limits.ts";
import { FeedNotes } from "./feed-notes.ts";

export type JournalEntry = Omit<FeedLogEntry, "at" | "source" | "eventId">;

export class FeedJournal extends FeedNotes {
  readonly #identity: Pick<FeedLogEntry, "source" | "eventId">;
  readonly #reported = new Set<string>();
  #entries: FeedLogEntry[] = [];

  constructor({ now, ...identity }: Pick<FeedLogEntry, "source" | "eventId"> & Pick<Effects, "now">) {
    super(now);
    this.#identity = identity;
    for (const id of productIds) this.noteKnown(id);
  }

  add(entry: JournalEntry): void {
    this.#entries.push({ at: toInstant(this.nowMs()), ...this.#identity, ...entry });
    if (this.#entries.length > maxWaitingEntries) this.#entries.shift();
  }

  /** Adds and counts a failure unless the same cause was reported before. */
  addFailureOnce(cause: string, entry: JournalEntry): void {
    if (this.#reported.has(cause)) return;
    this.#reported.add(cause);
    if (this.#reported.size > maxReportedCauses) this.#reported.delete(this.#reported.values().next().value!);
    this.counts.failed += 1;
    this.add(entry);
  }

  /** Lets causes that begin like this be reported again. */
  forgetCauses(prefix: string): void {
    for (const cause of this.#reported) if (cause.startsWith(prefix)) this.#reported.delete(cause);
  }

  /** Removes and returns the entries since the last call. */
  take(): readonly FeedLogEntry[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }

  /** Restores entries that could not be written. */
  putBack(entries: readonly FeedLogEntry[]): void {
    this.#entries = [...entries, ...this.#entries].slice(-maxWaitingEntries);
  }
}
