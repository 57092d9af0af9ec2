// Tokens of repositories as scripts and Git use them (R22 to R28).
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, curl, hasCurl } from "../support/curl.ts";
import {
  createRepository,
  createRepositoryToken,
  missing,
  startHosting,
  type CreatedRepository,
  type Hosting,
} from "./hosting.ts";
import { gitOk, hasGit, makeWorkTree } from "./git.ts";

describe.skipIf(!hasGit || !hasCurl)(`tokens of repositories${missing && ` (needs ${missing})`}`, () => {
  let hosting: Hosting;
  let repository: CreatedRepository;
  beforeAll(async () => {
    hosting = await startHosting();
    repository = await createRepository(hosting, { name: "ev-a" });
  });
  afterAll(() => hosting.stop());

  const mint = (json: unknown) =>
    call(`${hosting.base}/tokens`, { token: hosting.edit, method: "POST", json });
  const advertise = async (secret: string): Promise<number> => {
    const answer = await curl(`${repository.remote}/info/refs?service=git-upload-pack`, [
      ...["-H", `Authorization: Bearer ${secret}`],
    ]);
    return answer.status;
  };

  test("R22 a token has its scope and expiry", async () => {
    const { status, envelope } = await mint({ repo: "ev-a", scope: "read", ttl: 3600 });
    expect(status).toBe(201);
    const result = envelope.result as Record<string, string>;
    expect(result.id).toMatch(/^[0-9a-z]{16}$/);
    expect(result.scope).toBe("read");
    const expires = /\?expires=(\d+)$/.exec(result.plaintext!)?.[1];
    expect(Number(expires)).toBe(Math.floor(Date.parse(result.expires_at!) / 1000));
  });

  test("R23 a token has scope write for a day by default", async () => {
    const { envelope } = await mint({ repo: "ev-a" });
    const { scope, expires_at } = envelope.result as { scope: string; expires_at: string };
    expect(scope).toBe("write");
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 86_400_000)).toBeLessThan(60_000);
  });

  test.each([
    [59, 10_103],
    [31_536_001, 10_103],
    [1.5, 10_103],
    ["60", 10_100],
  ])("R24 a lifetime of %j seconds is refused", async (ttl, code) => {
    const { status, envelope } = await mint({ repo: "ev-a", ttl });
    expect([status, envelope.errors[0]?.code]).toEqual([400, code]);
  });

  test("R24 a minute is the shortest lifetime", async () => {
    expect((await mint({ repo: "ev-a", ttl: 60 })).status).toBe(201);
  });

  test("R25 an unknown scope and an unknown repository are refused", async () => {
    const scope = await mint({ repo: "ev-a", scope: "admin" });
    expect([scope.status, scope.envelope.errors[0]?.code]).toEqual([400, 10_100]);
    const unknown = await mint({ repo: "none" });
    expect([unknown.status, unknown.envelope.errors[0]?.code]).toEqual([404, 10_200]);
  });

  test("R26 a list of tokens contains no secret", async () => {
    const { plaintext } = await createRepositoryToken(hosting, { repo: "ev-a", scope: "read" });
    const { status, envelope, body } = await call(`${hosting.base}/repos/ev-a/tokens?state=all`, {
      token: hosting.read,
    });
    expect(status).toBe(200);
    expect((envelope.result as unknown[]).length).toBeGreaterThan(0);
    expect(envelope.result_info).toMatchObject({ page: 1, per_page: 30 });
    expect(Object.keys(envelope.result_info!).toSorted()).toEqual([
      ...["count", "page", "per_page", "total_count", "total_pages"],
    ]);
    const text = body.toString("utf8");
    expect(text).not.toContain(/[0-9a-f]{40}/.exec(plaintext)![0]);
    expect(text).not.toMatch(/art_v|[0-9a-f]{40}/);
  });

  test("R27 a revoked token opens nothing", async () => {
    const { id, plaintext } = await createRepositoryToken(hosting, { repo: "ev-a", scope: "read" });
    expect(await advertise(plaintext)).toBe(200);
    const revoke = (token: string) =>
      call(`${hosting.base}/tokens/${token}`, { token: hosting.edit, method: "DELETE" });
    const revoked = await revoke(id);
    expect([revoked.status, revoked.envelope.result]).toEqual([200, { id }]);
    expect(await advertise(plaintext)).toBe(401);
    expect((await revoke(id)).status).toBe(404);
    expect((await revoke("../x")).status).toBe(404);
  });

  test("R27 a clone under way ends when its token is revoked", async () => {
    const own = await createRepository(hosting, { name: "ev-clone" });
    // More than the system holds for a client that reads nothing.
    const noise = randomBytes(16_000_000);
    const tree = await makeWorkTree(join(hosting.folder, "ev-clone"), own.remote, { noise });
    await gitOk(["push", "--quiet", "origin", "main"], { cwd: tree, token: own.token });
    const head = await gitOk(["rev-parse", "HEAD"], { cwd: tree });
    const { id, plaintext } = await createRepositoryToken(hosting, { repo: "ev-clone", scope: "read" });
    const clone = await fetch(`${own.remote}/git-upload-pack`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${plaintext}`,
        "content-type": "application/x-git-upload-pack-request",
      },
      body: `0032want ${head}\n00000009done\n`,
    });
    expect(clone.status).toBe(200);
    await call(`${hosting.base}/tokens/${id}`, { token: hosting.edit, method: "DELETE" });
    await expect(clone.arrayBuffer()).rejects.toThrow("terminated");
  });

  test("R28 the record decides when a token expires, not its suffix", async () => {
    const { plaintext } = await createRepositoryToken(hosting, { repo: "ev-a", scope: "read" });
    const [secret] = plaintext.split("?");
    expect(await advertise(secret!)).toBe(200);
    expect(await advertise(`${secret!}?expires=1`)).toBe(200);
  });
});
