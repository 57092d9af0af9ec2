// Records every published revision and compares it with the catalog after each kill: none may be missing, changed or
// used twice.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

interface PublishedRow {
  readonly event_id: string;
  readonly sequence: number;
  readonly revision_id: string;
  readonly manifest_sha256: string;
  readonly observed_at: number;
}

interface EventRow {
  readonly id: string;
  readonly last_sequence: number;
  readonly pruned_sequence: number;
  /** Newest observation in milliseconds since the Unix epoch; null if there is no revision. */
  readonly newest: number | null;
}

export class Ledger {
  readonly #known = new Map<string, PublishedRow>();
  readonly #last = new Map<string, number>();
  readonly #keepMs: ReadonlyMap<string, number>;

  /** `keepMs` holds the retention per event; an event without an entry keeps everything. */
  constructor(keepMs: ReadonlyMap<string, number>) {
    this.#keepMs = keepMs;
  }

  /** Number of revisions ever seen. */
  get size(): number {
    return this.#known.size;
  }

  has(eventId: string, sequence: number, revisionId: string): boolean {
    return this.#known.get(`${eventId} ${sequence}`)?.revision_id === revisionId;
  }

  /** Records new revisions and returns all problems. The catalog must exist. */
  compare(data: string): string[] {
    const { events, rows } = readPublished(data);
    const problems: string[] = [];
    const present = new Map(rows.map((row) => [`${row.event_id} ${row.sequence}`, row]));
    const newest = new Map(events.map((event) => [event.id, event.newest]));
    for (const [key, known] of this.#known) {
      const row = present.get(key);
      const keepMs = this.#keepMs.get(known.event_id);
      const mayBeGone =
        keepMs !== undefined && known.observed_at < (newest.get(known.event_id) ?? 0) - keepMs;
      if (!row && !mayBeGone) problems.push(`${key} is missing`);
      if (row && row.manifest_sha256 !== known.manifest_sha256) problems.push(`${key} has changed`);
    }
    for (const { id, last_sequence, pruned_sequence } of events) {
      const before = this.#last.get(id) ?? 0;
      if (last_sequence < before) problems.push(`${id} went back from ${before} to ${last_sequence}`);
      for (let sequence = before + 1; sequence <= last_sequence; sequence += 1) {
        const isPruned = this.#keepMs.has(id) && sequence <= pruned_sequence;
        if (!isPruned && !present.has(`${id} ${sequence}`)) problems.push(`${id} ${sequence} was skipped`);
      }
      this.#last.set(id, last_sequence);
    }
    const ids = new Set(rows.map(({ event_id, revision_id }) => `${event_id} ${revision_id}`));
    if (ids.size < rows.length) problems.push("a revision id exists twice");
    for (const [key, row] of present) if (!this.#known.has(key)) this.#known.set(key, row);
    return problems;
  }
}

function readPublished(data: string): { events: EventRow[]; rows: PublishedRow[] } {
  const database = new DatabaseSync(join(data, "catalog.sqlite"), { timeout: 5000 });
  try {
    database.exec("PRAGMA query_only = ON; BEGIN");
    const events = database
      .prepare(
        "SELECT id, last_sequence, pruned_sequence, (SELECT max(observed_at) FROM revisions WHERE event_id = events.id) AS newest FROM events",
      )
      .all() as unknown as EventRow[];
    const rows = database
      .prepare("SELECT event_id, sequence, revision_id, manifest_sha256, observed_at FROM revisions")
      .all() as unknown as PublishedRow[];
    return { events, rows };
  } finally {
    database.close();
  }
}
