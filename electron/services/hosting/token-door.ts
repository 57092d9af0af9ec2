// Repo-scoped tokens of repositories by name: giving, listing and revoking them, and judging what a Git request presents.
import { ArtifactsError } from "./artifacts-error.ts";
import { checkReady } from "./ready.ts";
import type { MintedToken, RepositoryScope, RepositoryTokenRecord } from "./hosting-records.ts";
import type { GitAccess, Repositories, TokenQuery } from "./repositories.ts";
import { toRepository, toToken } from "./hosting-rows.ts";
import { settle } from "./settle.ts";
import type { Store } from "./hosting-store.ts";

const maxPerPage = 100;
const maxPage = 1_000_000;

type TokenDoor = Pick<Repositories, "createToken" | "listTokens" | "revokeToken" | "authorizeGit">;

export function createTokenDoor(store: Store): TokenDoor {
  return {
    createToken: (namespace, name, draft) => settle(() => createToken(store, namespace, name, draft)),
    listTokens: (namespace, name, query) => settle(() => listTokens(store, namespace, name, query)),
    revokeToken: (namespace, tokenOrId, name) =>
      settle(() => store.transaction(() => store.tokens.revoke(namespace, tokenOrId, name, store.nowMs()))),
    authorizeGit: (namespace, name, secret) => settle(() => authorizeGit(store, namespace, name, secret)),
  };
}

function createToken(
  { repositories, tokens, transaction, nowMs }: Store,
  namespace: string,
  name: string,
  { scope, ttl }: { readonly scope: RepositoryScope; readonly ttl?: number | undefined },
): MintedToken {
  return transaction(() => {
    const { id } = checkReady(repositories.find(namespace, name));
    return tokens.mint(id, scope, ttl, nowMs());
  });
}

function listTokens(
  store: Store,
  namespace: string,
  name: string,
  query: TokenQuery,
): { readonly tokens: readonly RepositoryTokenRecord[]; readonly total: number } {
  checkPage(query.perPage, maxPerPage, "per_page");
  checkPage(query.page, maxPage, "page");
  const { id } = checkReady(store.repositories.find(namespace, name));
  const nowMs = store.nowMs();
  const { rows, total } = store.tokens.list(id, query, nowMs);
  return { tokens: rows.map((row) => toToken(row, nowMs)), total };
}

function authorizeGit(
  { repositories, tokens, nowMs }: Store,
  namespace: string,
  name: string,
  secret: string,
): GitAccess | undefined {
  const row = repositories.find(namespace, name);
  const token = tokens.authorize(row?.status === "ready" ? row.id : undefined, secret, nowMs());
  if (row === undefined || token === undefined) return undefined;
  return { repository: toRepository(row), scope: token.scope, tokenId: token.id };
}

function checkPage(value: number, most: number, what: string): void {
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw new ArtifactsError("INVALID_INPUT", `The ${what} must be a whole number from 1 to ${most}.`);
  }
}
