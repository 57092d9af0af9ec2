// The tables of repositories and namespaces. Names are compared without case (ASCII) by the columns' collation.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import * as z from "zod";
import { ArtifactsError } from "./artifacts-error.ts";
import { maxListLimit } from "./hosting-limits.ts";
import {
  repositorySorts,
  type ListQuery,
  type NamespaceRecord,
  type RepositoryPage,
  type RepositoryRecord,
  type RepositorySort,
  type RepositoryStatus,
} from "./hosting-records.ts";

export interface RepositoryRow {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly description: string | null;
  readonly default_branch: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly last_push_at: number | null;
  readonly source: string | null;
  readonly read_only: 0 | 1;
  readonly status: RepositoryStatus;
}

const columns = [
  ...["id", "namespace", "name", "description", "default_branch", "created_at", "updated_at"],
  ...["last_push_at", "source", "read_only", "status"],
] as const satisfies readonly (keyof RepositoryRow)[];

/** Sorts repositories that were never pushed to before all others. */
const neverPushed = -1;

const sortKeys: Readonly<Record<RepositorySort, string>> = {
  created_at: "created_at",
  updated_at: "updated_at",
  last_push_at: `coalesce(last_push_at, ${neverPushed})`,
  name: "name",
};

const searched = "namespace = ? AND (? = '' OR instr(lower(name), lower(?)) > 0)";

export function createRepositoryTable(database: DatabaseSync) {
  const find = database.prepare("SELECT * FROM repositories WHERE namespace = ? AND name = ?");
  // The plus keeps SQLite from looking for the name.
  const match = database.prepare("SELECT * FROM repositories WHERE id = ? AND +namespace = ? AND +name = ?");
  const insert = database.prepare(
    `INSERT INTO repositories (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  const finish = database.prepare(
    "UPDATE repositories SET status = 'ready', default_branch = ? WHERE id = ? AND status = ?",
  );
  const notePush = database.prepare("UPDATE repositories SET last_push_at = ?, updated_at = ? WHERE id = ?");
  const remove = database.prepare("DELETE FROM repositories WHERE id = ?");
  const condemn = database.prepare("INSERT INTO deletions VALUES (?, ?) ON CONFLICT DO NOTHING");
  const forget = database.prepare("DELETE FROM deletions WHERE id = ?");
  const count = database.prepare(`SELECT count(*) AS count FROM repositories WHERE ${searched}`);
  const listIds = (from: string) => (): readonly string[] =>
    database
      .prepare(`SELECT id FROM ${from}`)
      .all()
      .map(({ id }) => String(id));
  return {
    find: (namespace: string, name: string): RepositoryRow | undefined =>
      find.get(namespace, name) as RepositoryRow | undefined,
    /** Returns the repository of this id if it has this name; does not look for another of the name. */
    match: (id: string, namespace: string, name: string): RepositoryRow | undefined =>
      match.get(id, namespace, name) as RepositoryRow | undefined,
    insert(row: RepositoryRow): void {
      insert.run(...columns.map((column) => row[column]));
    },
    /** Marks a repository as ready. Returns false if it no longer exists or has another status. */
    finish: (id: string, status: RepositoryStatus, defaultBranch: string): boolean =>
      finish.run(defaultBranch, id, status).changes > 0,
    notePush(id: string, nowMs: number): void {
      notePush.run(nowMs, nowMs, id);
    },
    /** Deletes the row and its tokens, and lists the folder for removal. */
    condemn(id: string, nowMs: number): void {
      remove.run(id);
      condemn.run(id, nowMs);
    },
    forgetCondemned(id: string): void {
      forget.run(id);
    },
    listIds: listIds("repositories"),
    listUnfinished: listIds("repositories WHERE status <> 'ready'"),
    listCondemned: listIds("deletions"),
    /** @throws ArtifactsError `INVALID_INPUT` */
    list(namespace: string, query: ListQuery): RepositoryPage {
      const { limit, search = "" } = query;
      if (!Number.isInteger(limit) || limit < 1 || limit > maxListLimit) {
        throw invalid(`The limit must be a whole number from 1 to ${maxListLimit}.`);
      }
      const rows = listRows(database, namespace, query);
      const page = rows.slice(0, limit);
      return {
        repositories: page.map(toRepository),
        total: Number(count.get(namespace, search, search)?.count),
        cursor: rows.length > limit ? toCursor(query, page.at(-1)!) : undefined,
      };
    },
  };
}

/** Returns one row more than the limit if there is a next page. */
function listRows(database: DatabaseSync, namespace: string, query: ListQuery): readonly RepositoryRow[] {
  const { search = "", sort, direction, limit } = query;
  const position = parseCursor(query);
  // The SQL contains only words of the closed sets above; values are bound.
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
    .all(...values, limit + 1) as unknown as RepositoryRow[];
}

/**
 * Sort, direction, and the last row's sort key (a name, or milliseconds since 1970) and id, so that repositories
 * created or deleted between two pages neither repeat nor hide others. On the wire: base64url of JSON.
 */
const Cursor = z.tuple([
  z.enum(repositorySorts),
  z.enum(["asc", "desc"]),
  z.union([z.string().max(100), z.int()]),
  z.string().regex(/^[0-9a-z]{16}$/),
]);

function toCursor({ sort, direction }: ListQuery, last: RepositoryRow): string {
  const key = sort === "last_push_at" ? (last.last_push_at ?? neverPushed) : last[sort];
  const cursor: z.infer<typeof Cursor> = [sort, direction, key, last.id];
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

/** @throws ArtifactsError `INVALID_INPUT` if no list returned this cursor, or one in another order did */
function parseCursor(query: ListQuery): { readonly key: string | number; readonly id: string } | undefined {
  if (query.cursor === undefined) return undefined;
  const parsed = Cursor.safeParse(decodeCursor(query.cursor));
  const [sort, direction, key, id] = parsed.data ?? [];
  if (key === undefined || id === undefined || (typeof key === "string") !== (sort === "name")) {
    throw invalid("The cursor is not from a list of repositories.");
  }
  if (sort !== query.sort || direction !== query.direction) {
    throw invalid("The cursor belongs to a list in another order.");
  }
  return { key, id };
}

/** Returns undefined if the text is not JSON in base64url. */
function decodeCursor(cursor: string): unknown {
  if (!/^[A-Za-z0-9_-]{1,400}$/.test(cursor)) return undefined;
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function invalid(message: string): ArtifactsError {
  return new ArtifactsError("INVALID_INPUT", message);
}

export function toRepository(row: RepositoryRow): RepositoryRecord {
  return Object.freeze({
    id: row.id,
    namespace: row.namespace,
    name: row.name,
    description: row.description,
    defaultBranch: row.default_branch,
    createdAt: toInstant(row.created_at),
    updatedAt: toInstant(row.updated_at),
    lastPushAt: row.last_push_at === null ? null : toInstant(row.last_push_at),
    source: row.source,
    readOnly: row.read_only === 1,
    status: row.status,
  });
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}

export function createNamespaceTable(database: DatabaseSync) {
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
    find(name: string): NamespaceRecord | undefined {
      const row = find.get(name);
      return row && toNamespace(row);
    },
    list: (): readonly NamespaceRecord[] => list.all().map(toNamespace),
    /** Returns false if the namespace exists. */
    insert: (name: string, nowMs: number): boolean => insert.run(name, nowMs, nowMs).changes > 0,
    touch(name: string, nowMs: number): void {
      touch.run(nowMs, name);
    },
    /** Keeps a namespace that has repositories. */
    removeEmpty(name: string): void {
      remove.run(name);
    },
  };
}

function toNamespace(row: Record<string, unknown>): NamespaceRecord {
  return Object.freeze({
    namespace: String(row.name),
    repoCount: Number(row.repo_count),
    createdAt: toInstant(Number(row.created_at)),
    updatedAt: toInstant(Number(row.updated_at)),
  });
}
