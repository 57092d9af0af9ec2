import { readFileSync } from "node:fs";
import { StatementSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { repositoryLayout } from "./repository-folders.ts";
import { openTestRepositories } from "./support/open-repositories.ts";

async function openWithRepository() {
  const hosting = await openTestRepositories();
  const { repository, token } = await hosting.repositories.create("events", { name: "ev" });
  return { ...hosting, repository, first: token };
}

test.each([60, 31_536_000])("a ttl of %d seconds ends to the second", async (ttl) => {
  const { repositories, clock } = await openWithRepository();
  clock.nowMs += 999;
  const token = await repositories.createToken("events", "EV", { scope: "read", ttl });
  const expiresAtMs = Number(token.plaintext.split("?expires=")[1]) * 1000;
  expect(new Date(token.expiresAt).getTime()).toBe(expiresAtMs);
  clock.nowMs = expiresAtMs - 1;
  expect(await repositories.authorizeGit("events", "ev", token.plaintext)).toMatchObject({ scope: "read" });
  clock.nowMs = expiresAtMs;
  expect(await repositories.authorizeGit("events", "ev", token.plaintext)).toBeUndefined();
  const later = token.plaintext.replace(/\d+$/, String(expiresAtMs));
  expect(await repositories.authorizeGit("events", "ev", later)).toBeUndefined();
});

test.each([59, 31_536_001, 1.5, Number.NaN, -60])("a ttl of %d is refused", async (ttl) => {
  const { repositories } = await openWithRepository();
  await expect(repositories.createToken("events", "ev", { scope: "read", ttl })).rejects.toMatchObject({
    code: "INVALID_TTL",
    numericCode: 10_103,
  });
});

test("a token opens its repository with any suffix or none, and no other secret does", async () => {
  const { repositories, repository, first } = await openWithRepository();
  await repositories.create("events", { name: "other" });
  const { plaintext } = first;
  const bare = plaintext.split("?")[0]!;
  const open = { repository, scope: "write", tokenId: first.id };
  for (const secret of [plaintext, bare, `${bare}?expires=1`, encodeURIComponent(plaintext), `${bare}?`]) {
    expect(await repositories.authorizeGit("events", "ev", secret)).toEqual(open);
  }
  const wrong = [
    "",
    "?",
    "x",
    bare.slice(0, -1),
    `${bare}0`,
    bare.toUpperCase(),
    first.id,
    "a".repeat(100_000),
  ];
  for (const secret of [...wrong, ` ${bare}`, `${bare}\u0000`]) {
    expect(await repositories.authorizeGit("events", "ev", secret)).toBeUndefined();
  }
  expect(await repositories.authorizeGit("events", "other", plaintext)).toBeUndefined();
  expect(await repositories.authorizeGit("events", "none", plaintext)).toBeUndefined();
  expect(await repositories.authorizeGit("elsewhere", "ev", plaintext)).toBeUndefined();
});

test("tokens are listed by state and page, newest first, without secrets", async () => {
  const { repositories, clock, first } = await openWithRepository();
  const minted = [];
  for (const ttl of [60, 120, 86_400]) {
    clock.nowMs += 1000;
    minted.push(await repositories.createToken("events", "ev", { scope: "read", ttl }));
  }
  clock.nowMs += 90_000;
  expect(await repositories.revokeToken("events", minted[2]!.id)).toBe(true);
  const listOf = async (state: "active" | "expired" | "revoked" | "all") =>
    (await repositories.listTokens("events", "ev", { state, perPage: 9, page: 1 })).tokens.map(
      ({ id }) => id,
    );
  expect(await listOf("active")).toEqual([minted[1]!.id, first.id]);
  expect(await listOf("expired")).toEqual([minted[0]!.id]);
  expect(await listOf("revoked")).toEqual([minted[2]!.id]);
  const second = await repositories.listTokens("events", "ev", { state: "all", perPage: 3, page: 2 });
  expect(second).toMatchObject({ total: 4, tokens: [{ id: first.id, state: "active" }] });
  expect(Object.keys(second.tokens[0]!)).toEqual(["id", "scope", "state", "createdAt", "expiresAt"]);
});

test("a token is revoked once, by id or by secret, within its namespace and repository", async () => {
  const { repositories, first } = await openWithRepository();
  expect(await repositories.revokeToken("elsewhere", first.id)).toBe(false);
  expect(await repositories.revokeToken("events", first.id, "other")).toBe(false);
  expect(await repositories.authorizeGit("events", "ev", first.plaintext)).toBeDefined();
  expect(await repositories.revokeToken("EVENTS", first.plaintext, "EV")).toBe(true);
  expect(await repositories.revokeToken("events", first.id)).toBe(false);
  expect(await repositories.authorizeGit("events", "ev", first.plaintext)).toBeUndefined();
});

test("a revoked token is reported by its id, once", async () => {
  const revoked: string[] = [];
  const { repositories } = await openTestRepositories({ onRevoked: (id) => revoked.push(id) });
  const { token } = await repositories.create("events", { name: "ev" });
  for (const secret of ["x", token.plaintext, token.id]) await repositories.revokeToken("events", secret);
  expect(revoked).toEqual([token.id]);
});

test("a wrong secret takes the same work for a repository that exists and one that does not", async () => {
  const { repositories } = await openWithRepository();
  const { token: other } = await repositories.create("events", { name: "other" });
  const revoked = await repositories.createToken("events", "ev", { scope: "read" });
  await repositories.revokeToken("events", revoked.id);
  const get = vi.spyOn(StatementSync.prototype, "get");
  onTestFinished(() => {
    get.mockRestore();
  });
  /** Returns the statements that were run, and what each returned. */
  const workFor = async (name: string, secret: string): Promise<readonly unknown[]> => {
    get.mockClear();
    expect(await repositories.authorizeGit("events", name, secret)).toBeUndefined();
    const statements = get.mock.contexts as readonly StatementSync[];
    return statements.map(({ sourceSQL }, index): unknown => [sourceSQL, get.mock.results[index]?.value]);
  };
  for (const secret of ["wrong", other.plaintext, revoked.plaintext]) {
    const work = await workFor("ev", secret);
    expect(work.length).toBeGreaterThan(0);
    expect(await workFor("none", secret)).toEqual(work);
  }
});

test("no secret is stored on disk", async () => {
  const { directory, repositories, first } = await openWithRepository();
  await repositories.noteFetch((await repositories.find("events", "ev"))!, first.id);
  await repositories.close();
  const secret = first.plaintext.slice("art_v1_".length).split("?")[0]!;
  const bytes = readFileSync(repositoryLayout(directory).databaseFile);
  expect(bytes.includes(first.id)).toBe(true);
  expect(bytes.includes(secret) || bytes.includes(Buffer.from(secret, "hex"))).toBe(false);
});

test("tokens that ended ninety days ago are deleted when the next one is created", async () => {
  const { repositories, clock } = await openWithRepository();
  clock.nowMs += 92 * 86_400_000;
  await repositories.createToken("events", "ev", { scope: "read" });
  expect(await repositories.listTokens("events", "ev", { state: "all", perPage: 9, page: 1 })).toMatchObject({
    total: 1,
  });
});

test("the audit trail has pushes and fetches, and a push updates the record's times", async () => {
  const { repositories, repository, clock, first } = await openWithRepository();
  clock.nowMs += 5000;
  await repositories.noteFetch(repository, first.id);
  expect((await repositories.find("events", "ev"))?.lastPushAt).toBeNull();
  await repositories.notePush(repository, first.id, "x".repeat(10_000));
  const at = "2026-11-20T12:00:05.000Z";
  expect(await repositories.find("events", "ev")).toMatchObject({ lastPushAt: at, updatedAt: at });
  const [pushed, fetched] = await repositories.listAudit("events", "ev", 2);
  expect(pushed).toMatchObject({ at, kind: "pushed", tokenId: first.id });
  expect(pushed?.detail).toHaveLength(4096);
  expect(fetched).toEqual({ at, kind: "fetched", tokenId: first.id, detail: null });
});

test("the audit trail keeps the newest thousand entries of a name", async () => {
  const { repositories, repository } = await openWithRepository();
  await repositories.create("events", { name: "quiet" });
  for (let count = 0; count < 1005; count += 1) await repositories.noteFetch(repository, `token${count}`);
  const trail = await repositories.listAudit("events", "ev", 2000);
  expect(trail).toHaveLength(1000);
  expect(trail[0]?.tokenId).toBe("token1004");
  expect(await repositories.listAudit("events", "quiet", 9)).toHaveLength(1);
});
