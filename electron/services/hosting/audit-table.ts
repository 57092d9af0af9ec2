// The audit trail: who changed or read which repository. Bounded; the oldest entries go first.
import type { DatabaseSync } from "node:sqlite";
import type { AuditEntry } from "./repositories.ts";
import type { AuditRow } from "./hosting-rows.ts";

/** Entries kept of one name, and of all. */
const keptPerName = 1000;
const keptInAll = 100_000;
/** Characters kept of an entry's detail; a push may name any number of refs. */
const maxDetailLength = 4096;

export interface AuditTable {
  add(entry: {
    readonly namespace: string;
    readonly name: string;
    readonly atMs: number;
    readonly kind: AuditEntry["kind"];
    readonly tokenId: string | null;
    readonly detail: string | null;
  }): void;
  /** Newest first. */
  list(namespace: string, name: string, limit: number): readonly AuditRow[];
}

export function createAuditTable(database: DatabaseSync): AuditTable {
  const add = database.prepare(
    "INSERT INTO audit (namespace, name, at, kind, token_id, detail) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const trimName = database.prepare(
    `DELETE FROM audit WHERE namespace = ?1 AND name = ?2 AND id <= (SELECT id FROM audit
     WHERE namespace = ?1 AND name = ?2 ORDER BY id DESC LIMIT 1 OFFSET ${keptPerName})`,
  );
  const trimAll = database.prepare("DELETE FROM audit WHERE id <= ?");
  const list = database.prepare(
    `SELECT at, kind, token_id, detail FROM audit WHERE namespace = ? AND name = ? ORDER BY id DESC LIMIT ?`,
  );
  return {
    add({ namespace, name, atMs, kind, tokenId, detail }) {
      const { lastInsertRowid } = add.run(namespace, name, atMs, kind, tokenId, shorten(detail));
      trimName.run(namespace, name);
      trimAll.run(Number(lastInsertRowid) - keptInAll);
    },
    list: (namespace, name, limit) => list.all(namespace, name, limit) as unknown as AuditRow[],
  };
}

function shorten(detail: string | null): string | null {
  if (detail === null || detail.length <= maxDetailLength) return detail;
  return `${detail.slice(0, maxDetailLength - 1)}…`;
}
