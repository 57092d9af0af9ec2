// Where a list of repositories goes on: the last row's sort key and id, so that repositories which come and go in between
// neither repeat nor hide others.
import * as z from "zod";
import { ArtifactsError } from "./artifacts-error.ts";
import { repositorySorts, type ListQuery, type RepositorySort } from "./repositories.ts";
import type { RepositoryRow } from "./hosting-rows.ts";

/** Never pushed sorts before every push. */
export const neverPushed = -1;

export interface Position {
  /** A name, or milliseconds since 1970. */
  readonly key: string | number;
  readonly id: string;
}

const Cursor = z.tuple([
  z.enum(repositorySorts),
  z.enum(["asc", "desc"]),
  z.union([z.string().max(100), z.int()]),
  z.string().regex(/^[0-9a-z]{16}$/),
]);

export function toCursor(query: Pick<ListQuery, "sort" | "direction">, last: RepositoryRow): string {
  const cursor: z.infer<typeof Cursor> = [query.sort, query.direction, keyOf(query.sort, last), last.id];
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

/** @throws ArtifactsError `INVALID_INPUT` for one that is none of ours, or of a list in another order */
export function parseCursor(query: ListQuery): Position | undefined {
  if (query.cursor === undefined) return undefined;
  const parsed = Cursor.safeParse(decode(query.cursor));
  if (!parsed.success) throw new ArtifactsError("INVALID_INPUT", "The cursor is none that a list has given.");
  const [sort, direction, key, id] = parsed.data;
  if ((typeof key === "string") !== (sort === "name")) {
    throw new ArtifactsError("INVALID_INPUT", "The cursor is none that a list has given.");
  }
  if (sort !== query.sort || direction !== query.direction) {
    throw new ArtifactsError("INVALID_INPUT", "The cursor belongs to a list in another order.");
  }
  return { key, id };
}

function keyOf(sort: RepositorySort, row: RepositoryRow): string | number {
  return sort === "last_push_at" ? (row.last_push_at ?? neverPushed) : row[sort];
}

/** Undefined for what is not JSON in base64url. */
function decode(cursor: string): unknown {
  if (!/^[A-Za-z0-9_-]{1,400}$/.test(cursor)) return undefined;
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
