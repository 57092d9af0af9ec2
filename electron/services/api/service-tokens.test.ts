// The platform tokens of a service: one machine makes or revokes them, and every machine knows.
import { describe, expect, onTestFinished, test } from "vitest";
import { createServiceTrial, type ServiceTrial } from "../../catalog/postgres/support/service-trial.ts";
import { usePostgres } from "../../platform/postgres/support/test-server.ts";
import { openDatabase } from "../../platform/postgres/database.ts";
import { hasPostgres, postgresNeeds } from "../../support/engines/postgres-programs.ts";
import { createServiceTokens } from "./service-tokens.ts";
import { startTestApi } from "./support/test-api.ts";
import type { TokenStore } from "./token-rules.ts";

const startMs = Date.UTC(2026, 10, 20);

describe.skipIf(!hasPostgres)(`platform tokens of a service${postgresNeeds}`, () => {
  const server = usePostgres();

  async function openTokens({ url }: ServiceTrial): Promise<TokenStore> {
    const database = await openDatabase({ url, patienceMs: { read: 500, transact: 500 } });
    onTestFinished(() => database.close());
    return createServiceTokens(database);
  }

  async function createTrial(): Promise<ServiceTrial> {
    const trial = await createServiceTrial(server());
    await trial.setClock(startMs);
    return trial;
  }

  test("a token of one machine is valid at another until it is revoked, and its secret is not stored", async () => {
    const trial = await createTrial();
    const [here, there] = [await openTokens(trial), await openTokens(trial)];
    const made = await here.create({ permission: "zone-settings:edit", name: "laptop" });
    const { plaintext, ...token } = made;
    expect(plaintext).toMatch(/^ept_[0-9a-f]{40}$/);
    expect(token).toMatchObject({ createdAt: new Date(startMs).toISOString(), state: "active" });
    const { id, permission } = token;
    expect(await there.authenticate(plaintext)).toEqual({ id, permission });
    expect(await there.list()).toEqual([token]);
    const rows = await trial.database.read("SELECT platform_tokens::text AS row FROM platform_tokens");
    expect(JSON.stringify(rows)).not.toContain(plaintext.slice(4));
    expect(await there.revoke(id)).toBe(true);
    expect(await here.revoke(id)).toBe(false);
    expect(await here.authenticate(plaintext)).toBeUndefined();
    expect(await here.list()).toEqual([{ ...token, state: "revoked" }]);
  });

  test("a token expires by the clock of the database", async () => {
    const trial = await createTrial();
    const tokens = await openTokens(trial);
    const { plaintext } = await tokens.create({ permission: "artifacts:read", expiresInSeconds: 60 });
    await trial.setClock(startMs + 59_999);
    expect(await tokens.authenticate(plaintext)).toBeDefined();
    await trial.setClock(startMs + 60_000);
    expect(await tokens.authenticate(plaintext)).toBeUndefined();
    expect(await tokens.list()).toMatchObject([{ state: "expired" }]);
  });

  test.each(["", "ept_", `ept_${"0".repeat(40)}`, "ept_' OR 1", "\0"])("%j is no token", async (secret) => {
    expect(await (await openTokens(await createTrial())).authenticate(secret)).toBeUndefined();
  });

  test("a draft that is not valid is refused", async () => {
    const tokens = await openTokens(await createTrial());
    const draft = { permission: "artifacts:read", expiresInSeconds: 0 } as const;
    await expect(tokens.create(draft)).rejects.toMatchObject({ code: "invalid-input" });
    expect(await tokens.list()).toEqual([]);
  });

  test("while the database is away, requests get 503 and when to ask again", async () => {
    const tokens = await openTokens(await createTrial());
    const { plaintext } = await tokens.create({ permission: "artifacts:read" });
    const api = await startTestApi({ tokens });
    const headers = { authorization: `Bearer ${plaintext}` };
    const ask = () => fetch(`${api.origin}/client/v4/accounts/local/things/a`, { headers });
    expect((await ask()).status).toBe(200);
    await server().kill();
    const refused = await ask();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await refused.json()).toMatchObject({
      success: false,
      errors: [{ message: "The database of the service cannot be reached at the moment." }],
    });
    await server().start();
    expect((await ask()).status).toBe(200);
    expect(api.log).toEqual([]);
  });
});
