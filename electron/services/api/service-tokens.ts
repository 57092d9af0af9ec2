// The platform tokens of a service, in its database: valid at every machine, and revoked at all of them at once,
// because each request looks its token up there. Lifetimes run on the clock of the database.
import type { Database } from "../../platform/postgres/database.ts";
import {
  checkTokenDraft,
  createSecret,
  createTokenRow,
  findDigest,
  toAuthenticated,
  tokenColumns,
  toToken,
  type TokenRow,
  type TokenStore,
} from "./token-rules.ts";

interface ClockedRow extends TokenRow {
  readonly now: number;
}

const columns = `${tokenColumns}, catalog_clock() AS now`;

/** Closing it leaves the database open. */
export function createServiceTokens({ read, transact }: Database): TokenStore {
  return {
    async create(draft) {
      checkTokenDraft(draft);
      const plaintext = createSecret();
      // A token whose answer is lost is never shown: it is listed, and can be revoked.
      return transact("durable", async ({ query }) => {
        const [clock] = await query<{ now: number }>("SELECT catalog_clock() AS now");
        const row = createTokenRow(draft, clock!.now);
        await query(
          `INSERT INTO platform_tokens (id, secret_sha256, name, permission, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6)`,
          [row.id, findDigest(plaintext)!, row.name, row.permission, row.created_at, row.expires_at],
        );
        return { ...toToken(row, clock!.now), plaintext };
      });
    },
    async list() {
      const rows = await read<ClockedRow>(`SELECT ${columns} FROM platform_tokens ORDER BY ordinal`);
      return rows.map((row) => toToken(row, row.now));
    },
    async revoke(id) {
      const rows = await transact("durable", ({ query }) =>
        query(
          "UPDATE platform_tokens SET revoked_at = catalog_clock() WHERE id = $1 AND revoked_at IS NULL RETURNING 1",
          [id],
        ),
      );
      return rows.length > 0;
    },
    async authenticate(secret) {
      const digest = findDigest(secret);
      if (digest === undefined) return undefined;
      const sql = `SELECT ${columns} FROM platform_tokens WHERE secret_sha256 = $1`;
      const [row] = await read<ClockedRow>(sql, [digest]);
      return row && toAuthenticated(row, row.now);
    },
    close: () => undefined,
  };
}
