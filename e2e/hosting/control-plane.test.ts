// The control plane as scripts use it: repositories are created, read, listed, deleted and recreated (R01 to R18, R21).
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, curl, hasCurl } from "../support/curl.ts";
import { createRepository, missing, namespace, startHosting, type Hosting } from "./hosting.ts";
import { git, gitOk, hasGit } from "./git.ts";
import { join } from "node:path";

describe.skipIf(!hasGit || !hasCurl)(`the control plane${missing && ` (needs ${missing})`}`, () => {
  let hosting: Hosting;
  beforeAll(async () => {
    hosting = await startHosting();
  });
  afterAll(() => hosting.stop());

  const post = (json: unknown, token = hosting.edit) =>
    call(`${hosting.base}/repos`, { token, method: "POST", json });
  const read = (name: string, token = hosting.read) => call(`${hosting.base}/repos/${name}`, { token });

  test("R01 a repository is created with its remote and a first token", async () => {
    const { status, headers, envelope } = await post({ name: "ev-a" });
    expect(status).toBe(201);
    expect(headers["content-type"]).toMatch(/^application\/json/);
    expect(envelope).toMatchObject({ success: true, errors: [], messages: [] });
    const result = envelope.result as Record<string, string>;
    expect(result).toMatchObject({ name: "ev-a", default_branch: "main", description: null });
    expect(result.id).toMatch(/^[0-9a-z]{16}$/);
    expect(result.remote).toBe(`${hosting.api}/git/${namespace}/ev-a.git`);
    expect(result.token).toMatch(/^art_v\d_\S*[0-9a-f]{40}\?expires=\d+$/);
  });

  test("R02 a read gives the same id and remote, and no token", async () => {
    const created = await createRepository(hosting, { name: "ev-read" });
    const { status, envelope } = await read("ev-read");
    expect(status).toBe(200);
    const { id, remote } = created;
    expect(envelope.result).toMatchObject({ id, remote, last_push_at: null, source: null, read_only: false });
    expect(envelope.result).not.toHaveProperty("token");
  });

  test("R03 the same name again is a conflict", async () => {
    await createRepository(hosting, { name: "ev-twice" });
    const { status, envelope } = await post({ name: "ev-twice" });
    expect([status, envelope.errors[0]?.code]).toEqual([409, 10_201]);
    expect(envelope).toMatchObject({ success: false, result: null });
  });

  test("R04 names that differ only in case are equal, and keep their first spelling", async () => {
    await createRepository(hosting, { name: "ev-case" });
    const { status, envelope } = await post({ name: "EV-CASE" });
    expect([status, envelope.errors[0]?.code]).toEqual([409, 10_201]);
    expect((await read("EV-CASE")).envelope.result).toMatchObject({ name: "ev-case" });
  });

  test("R05 an unknown repository is not found", async () => {
    const { status, envelope } = await read("none");
    expect([status, envelope.errors[0]?.code]).toEqual([404, 10_200]);
  });

  test("R06 a token that may only read creates nothing", async () => {
    const { status, envelope } = await post({ name: "ev-r06" }, hosting.read);
    expect(status).toBe(403);
    expect(envelope.success).toBe(false);
    expect((await read("ev-r06")).status).toBe(404);
  });

  test("R07 a missing or unknown token is 401", async () => {
    const anonymous = await call(`${hosting.base}/repos`);
    expect(anonymous.status).toBe(401);
    expect(anonymous.headers["www-authenticate"]).toMatch(/^Bearer /);
    expect(anonymous.envelope).toMatchObject({ success: false, result: null });
    expect(anonymous.envelope.errors).not.toHaveLength(0);
    expect((await call(`${hosting.base}/repos`, { token: `ept_${"0".repeat(40)}` })).status).toBe(401);
  });

  test("R08 a repository's token does not open the control plane", async () => {
    const { token } = await createRepository(hosting, { name: "ev-r08" });
    expect((await read("ev-r08", token)).status).toBe(401);
  });

  test.each(["", ".x", "-x", "_x", "a/b", "a b", "../x", "é", "a".repeat(101)])(
    "R09 the name %j is refused",
    async (name) => {
      const { status, envelope } = await post({ name });
      expect([status, envelope.errors[0]?.code]).toEqual([400, 10_101]);
    },
  );

  test.each(["a", "A.b_c-9"])("R09 the name %j is accepted", async (name) => {
    expect((await post({ name })).status).toBe(201);
  });

  test.each(["con", "nul.txt", "x.git", "x.lock", "a."])(
    "R10 the name %j, which some file system or Git would not bear, is refused",
    async (name) => {
      const { status, envelope } = await post({ name });
      expect([status, envelope.errors[0]?.code]).toEqual([400, 10_101]);
    },
  );

  test.each(["{", "[]", '{"name":5}', undefined])("R11 the body %j is refused", async (body) => {
    const { status, body: answer } = await curl(`${hosting.base}/repos`, [
      ...[
        "-X",
        "POST",
        "-H",
        `Authorization: Bearer ${hosting.edit}`,
        "-H",
        "Content-Type: application/json",
      ],
      ...(body === undefined ? [] : ["--data-binary", body]),
    ]);
    const envelope = JSON.parse(answer.toString("utf8")) as { errors: { code: number }[] };
    expect([status, envelope.errors[0]?.code]).toEqual([400, 10_100]);
  });

  test("R11 a body of more than 64 KiB is refused for its size", async () => {
    const { status } = await post({ name: "ev-r11", description: "x".repeat(65 * 1024) });
    expect(status).toBe(413);
    expect((await read("ev-r11")).status).toBe(404);
  });

  test.each(["-x", "a..b", "a b", "x.lock", ""])("R12 the default branch %j is refused", async (branch) => {
    const { status, envelope } = await post({ name: "ev-r12", default_branch: branch });
    expect([status, envelope.errors[0]?.code]).toEqual([400, 10_100]);
    expect((await read("ev-r12")).status).toBe(404);
  });

  test("R13 a clone of an empty repository is on its default branch", async () => {
    const { remote, token } = await createRepository(hosting, { name: "ev-trunk", default_branch: "trunk" });
    const clone = join(hosting.folder, "trunk");
    await gitOk(["clone", remote, clone], { token });
    expect(await gitOk(["symbolic-ref", "HEAD"], { cwd: clone })).toBe("refs/heads/trunk");
  });

  describe("lists", () => {
    const names = ["zz-1", "zz-2", "zz-3", "zz-4", "zz-5"];
    beforeAll(async () => {
      for (const name of names) await createRepository(hosting, { name });
    });
    const list = (query: string) => call(`${hosting.base}/repos?${query}`, { token: hosting.read });
    const namesOf = (result: unknown) => (result as { name: string }[]).map(({ name }) => name);

    test("R14 cursors return each repository once", async () => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { status, envelope } = await list(
          `search=zz-&limit=2${cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        expect(status).toBe(200);
        const page = namesOf(envelope.result);
        expect(envelope.result_info).toMatchObject({ per_page: 2, count: page.length });
        seen.push(...page);
        cursor = (envelope.result_info?.cursor as string | undefined) ?? "";
      } while (cursor !== "" && seen.length < 20);
      expect(seen.toSorted()).toEqual(names);
    });

    test.each(["limit=0", "limit=201", "limit=x", "sort=size", "direction=up", "cursor=nonsense"])(
      "R15 the query %s is refused",
      async (query) => {
        const { status, envelope } = await list(query);
        expect([status, envelope.errors[0]?.code]).toEqual([400, 10_100]);
      },
    );

    test("R16 a search finds only matching names, in the requested order", async () => {
      const { envelope } = await list("search=zz-&sort=name&direction=asc");
      expect(namesOf(envelope.result)).toEqual(names);
    });
  });

  test("R17 and R18 a deleted repository is gone, and a new one of its name is another", async () => {
    const first = await createRepository(hosting, { name: "ev-z" });
    const remove = () => call(`${hosting.base}/repos/ev-z`, { token: hosting.edit, method: "DELETE" });
    const deleted = await remove();
    expect([deleted.status, deleted.envelope.result]).toEqual([202, { id: first.id }]);
    expect((await read("ev-z")).status).toBe(404);
    const again = await remove();
    expect([again.status, again.envelope.errors[0]?.code]).toEqual([404, 10_200]);
    const advertisement = `${first.remote}/info/refs?service=git-upload-pack`;
    const withToken = ["-H", `Authorization: Bearer ${first.token}`];
    expect((await curl(advertisement, withToken)).status).toBe(401);
    const second = await createRepository(hosting, { name: "ev-z" });
    expect(second.id).not.toBe(first.id);
    expect((await git(["ls-remote", second.remote], { token: first.token })).status).toBe(128);
    expect((await git(["ls-remote", second.remote], { token: second.token })).status).toBe(0);
  });

  test("R21 another account's address returns no data", async () => {
    const other = hosting.base.replace("/accounts/local/", "/accounts/other/");
    const { status, envelope } = await call(`${other}/repos`, { token: hosting.edit });
    expect([403, 404]).toContain(status);
    expect(envelope.result).toBeNull();
  });
});
