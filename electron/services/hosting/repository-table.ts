// The rows of repositories and namespaces. Names are compared without case (ASCII) by the columns' collation.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { neverPushed, type Position } from "./list-cursor.ts";
import type { RepositoryStatus } from "./hosting-records.ts";
import type { ListQuery, RepositorySort } from "./repositories.ts";
import type { NamespaceRow, RepositoryRow } from "./hosting-rows.ts";

export interface RepositoryTable {
  find(namespace: string, name: string): RepositoryRow | undefined;
  insert(row: RepositoryRow): void;
  /** False when the repository is not there any more, or has another status. */
  finish(id: string, status: RepositoryStatus, defaultBranch: string): boolean;
  notePush(id: string, nowMs: number): void;
  /** With its tokens; its folder is listed for removal. */
  condemn(id: string, nowMs: number): void;
  /** Ids of those that are not ready. */
  listUnfinished(): readonly string[];
  listIds(): readonly string[];
  /** Up to `limit` rows after `position`. */
  list(
    namespace: string,
    query: ListQuery,
    position: Position | undefined,
    limit: number,
  ): readonly RepositoryRow[];
  /** How many there are whose name holds `search`. */
  count(namespace: string, search: string | undefined): number;
  listCondemned(): readonly string[];
  forgetCondemned(id: string): void;
}

const sortKeys: Readonly<Record<RepositorySort, string>> = {
  created_at: "created_at",
  updated_at: "updated_at",
  last_push_at: `coalesce(last_push_at, ${neverPushed})`,
  name: "name",
};

const columns = [
  ...["id", "namespace", "name", "description", "default_branch", "created_at", "updated_at"],
  ...["last_push_at", "source", "read_only", "status"],
] as const satisfies readonly (keyof RepositoryRow)[];

const searched = "namespace = ? AND (? = '' OR instr(lower(name), lower(?)) > 0)";

export function createRepositoryTable(database: DatabaseSync): RepositoryTable {
  const find = database.prepare("SELECT * FROM repositories WHERE namespace = ? AND name = ?");
  const insert = database.prepare(
    `INSERT INTO repositories (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  const finish = database.prepare(
    "UPDATE repositories SET status = 'ready', default_branch = ? WHERE id = ? AND status = ?",
  );
  const notePush = database.prepare("UPDATE repositories SET last_push_at = ?, updated_at = ? WHERE id = ?");
  const remove = database.prepare("DELETE FROM repositories WHERE id = ?");
  const condemn = database.prepare("INSERT INTO deletions VALUES (?, ?) ON CONFLICT DO NOTHING");
  const unfinished = database.prepare("SELECT id FROM repositories WHERE status <> 'ready'");
  const ids = database.prepare("SELECT id FROM repositories");
  const count = database.prepare(`SELECT count(*) AS count FROM repositories WHERE ${searched}`);
  const condemned = database.prepare("SELECT id FROM deletions");
  const forget = database.prepare("DELETE FROM deletions WHERE id = ?");
  return {
    find: (namespace, name) => find.get(namespace, name) as RepositoryRow | undefined,
    insert(row) {
      insert.run(...columns.map((column) => row[column]));
    },
    finish: (id, status, defaultBranch) => finish.run(defaultBranch, id, status).changes > 0,
    notePush(id, nowMs) {
      notePush.run(nowMs, nowMs, id);
    },
    condemn(id, nowMs) {
      remove.run(id);
      condemn.run(id, nowMs);
    },
    listUnfinished: () => unfinished.all().map(({ id }) => String(id)),
    listIds: () => ids.all().map(({ id }) => String(id)),
    list: (namespace, query, position, limit) => listAfter(database, namespace, query, position, limit),
    count: (namespace, search = "") => Number(count.get(namespace, search, search)?.count),
    listCondemned: () => condemned.all().map(({ id }) => String(id)),
    forgetCondemned(id) {
      forget.run(id);
    },
  };
}

function listAfter(
  database: DatabaseSync,
  namespace: string,
  { search = "", sort, direction }: ListQuery,
  position: Position | undefined,
  limit: number,
): readonly RepositoryRow[] {
  // Words of SQL come from the closed sets above alone.
  const key = sortKeys[sort];
  const after = direction === "asc" ? ">" : "<";
  const values: SQLInputValue[] = [namespace, search, search];
  if (position !== undefined) values.push(position.key, position.key, position.id);
  return database
    .prepare(
      `SELECT * FROM repositories WHERE ${searched}
       ${position === undefined ? "" : `AND (${key} ${after} ? OR (${key} = ? AND id ${after} ?))`}
       ORDER BY ${key} ${direction}, id ${direction} LIMIT ?`,
    )
    .all(...values, limit) as unknown as RepositoryRow[];
}

export interface NamespaceTable {
  find(name: string): NamespaceRow | undefined;
  list(): readonly NamespaceRow[];
  /** False when there is one of this name. */
  insert(name: string, nowMs: number): boolean;
  touch(name: string, nowMs: number): void;
  /** Only while it is empty. */
  removeEmpty(name: string): void;
}

export function createNamespaceTable(database: DatabaseSync): NamespaceTable {
  const counted = `SELECT name, created_at, updated_at,
    (SELECT count(*) FROM repositories WHERE namespace = namespaces.name) AS repo_count FROM namespaces`;
  const find = database.prepare(`${counted} WHERE name = ?`);
  const list = database.prepare(`${counted} ORDER BY name`);
  const insert = database.prepare("INSERT INTO namespaces VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
  const touch = database.prepare("UPDATE namespaces SET updated_at = ? WHERE name = ?");
  const remove = database.prepare(
    "DELETE FROM namespaces WHERE name = ?1 AND NOT EXISTS (SELECT 1 FROM repositories WHERE namespace = ?1)",
  );
  return {
    find: (name) => find.get(name) as NamespaceRow | undefined,
    list: () => list.all() as unknown as NamespaceRow[],
    insert: (name, nowMs) => insert.run(name, nowMs, nowMs).changes > 0,
    touch(name, nowMs) {
      touch.run(nowMs, name);
    },
    removeEmpty(name) {
      remove.run(name);
    },
  };
}
