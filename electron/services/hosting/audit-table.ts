// The audit trail: who changed or read which repository. Bounded; the oldest entries are removed first.
import type { DatabaseSync } from "node:sqlite";
import { maxAuditDetailLength, maxAuditEntries, maxAuditEntriesPerName } from "./hosting-limits.ts";
import type { AuditEntry, RepositoryRecord } from "./hosting-records.ts";

export function createAuditTable(database: DatabaseSync) {
  const add = database.prepare(
    "INSERT INTO audit (namespace, name, at, kind, token_id, detail) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const trimName = database.prepare(
    `DELETE FROM audit WHERE namespace = ?1 AND name = ?2 AND id <= (SELECT id FROM audit
     WHERE namespace = ?1 AND name = ?2 ORDER BY id DESC LIMIT 1 OFFSET ${maxAuditEntriesPerName})`,
  );
  const trimAll = database.prepare("DELETE FROM audit WHERE id <= ?");
  const list = database.prepare(
    `SELECT at, kind, token_id AS tokenId, detail FROM audit WHERE namespace = ? AND name = ?
     ORDER BY id DESC LIMIT ?`,
  );
  return {
    add(
      { namespace, name }: Pick<RepositoryRecord, "namespace" | "name">,
      nowMs: number,
      { kind, tokenId = null, detail = null }: Pick<AuditEntry, "kind"> & Partial<AuditEntry>,
    ): void {
      const { lastInsertRowid } = add.run(namespace, name, nowMs, kind, tokenId, detail && shorten(detail));
      trimName.run(namespace, name);
      trimAll.run(Number(lastInsertRowid) - maxAuditEntries);
    },
    /** Newest first. */
    list(namespace: string, name: string, limit: number): readonly AuditEntry[] {
      const rows = list.all(namespace, name, limit) as unknown as (AuditEntry & { readonly at: number })[];
      return rows.map((row) => Object.freeze({ ...row, at: new Date(row.at).toISOString() }));
    },
  };
}

function shorten(detail: string): string {
  if (detail.length <= maxAuditDetailLength) return detail;
  return `${detail.slice(0, maxAuditDetailLength - 1)}…`;
}
