// Stock Git at hosted remotes: authorization, and what clone, fetch and push can do (R29 to R47, R56, R57).
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, curl, hasCurl } from "../support/curl.ts";
import { commitFiles, git, gitOk, hasGit, makeWorkTree } from "./git.ts";
import {
  createRepository,
  createRepositoryToken,
  missing,
  startHosting,
  type CreatedRepository,
  type Hosting,
} from "./hosting.ts";

describe.skipIf(!hasGit || !hasCurl)(`Git at hosted remotes${missing && ` (needs ${missing})`}`, () => {
  let hosting: Hosting;
  let repository: CreatedRepository;
  let reading: string;
  /** The work tree from which `main` was pushed. */
  let work: string;
  let count = 0;

  beforeAll(async () => {
    hosting = await startHosting();
    repository = await createRepository(hosting, { name: "ev-a" });
    reading = (await createRepositoryToken(hosting, { repo: "ev-a", scope: "read" })).plaintext;
    work = await makeWorkTree(join(hosting.folder, "work"), repository.remote);
    await gitOk(["push", "--quiet", "origin", "main"], { cwd: work, token: repository.token });
  });
  afterAll(() => hosting.stop());

  const fresh = (): string => join(hosting.folder, `clone-${(count += 1)}`);
  const bearer = (secret: string): string[] => ["-H", `Authorization: Bearer ${secret}`];
  const advertisement = (remote: string, service = "git-upload-pack"): string =>
    `${remote}/info/refs?service=${service}`;
  /** Creates a repository with one pushed commit. */
  const makeOwn = async (name: string, draft: Readonly<Record<string, unknown>> = {}) => {
    const own = await createRepository(hosting, { name, ...draft });
    const tree = await makeWorkTree(join(hosting.folder, name), own.remote);
    await gitOk(["push", "--quiet", "origin", "main"], { cwd: tree, token: own.token });
    return { ...own, tree };
  };

  describe("authorization", () => {
    test("R29 a request without a token is refused, and Git is asked for one", async () => {
      const { status, headers } = await curl(advertisement(repository.remote));
      expect(status).toBe(401);
      expect(headers["www-authenticate"]).toMatch(/Basic/);
      const clone = await git(["clone", repository.remote, fresh()]);
      expect(clone.status).toBe(128);
      expect(clone.stderr).toContain("could not read Username");
    });

    test("R30 an unknown repository has the same answer", async () => {
      const known = await curl(advertisement(repository.remote));
      const unknown = await curl(advertisement(repository.remote.replace("ev-a", "none")));
      expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    });

    test("R31 a read token clones", async () => {
      expect((await git(["clone", repository.remote, fresh()], { token: reading })).status).toBe(0);
    });

    test("R32 a read token cannot push, and nothing changes", async () => {
      const before = await gitOk(["ls-remote", repository.remote], { token: reading });
      const { status, stderr } = await git(["push", repository.remote, "main:refs/heads/other"], {
        cwd: work,
        token: reading,
      });
      expect(status).toBe(128);
      expect(stderr).toContain("returned error: 403");
      expect(await gitOk(["ls-remote", repository.remote], { token: reading })).toBe(before);
    });

    test.each(["x", "anybody"])("R35 the token is a Basic password, of the user %j", async (user) => {
      for (const secret of [repository.token.split("?")[0]!, encodeURIComponent(repository.token)]) {
        const url = repository.remote.replace("http://", `http://${user}:${secret}@`);
        expect((await git(["ls-remote", url])).status).toBe(0);
      }
    });

    test("R36 the scheme's case does not matter", async () => {
      const { status } = await curl(advertisement(repository.remote), [
        ...["-H", `authorization: bearer ${reading}`],
      ]);
      expect(status).toBe(200);
    });

    test("R37 another repository's token and a platform token open nothing", async () => {
      const other = await createRepository(hosting, { name: "ev-b" });
      for (const secret of [other.token, hosting.edit]) {
        expect((await curl(advertisement(repository.remote), bearer(secret))).status).toBe(401);
      }
    });

    test("R40 only the three addresses of the smart protocol exist", async () => {
      const { remote } = repository;
      for (const url of [
        `${remote}/HEAD`,
        `${remote}/objects/info/packs`,
        `${remote}/info/refs`,
        advertisement(remote, "git-foo"),
        advertisement(remote.replace(/\.git$/, "")),
      ]) {
        expect((await curl(url, bearer(reading))).status, url).toBe(404);
      }
      for (const method of ["PUT", "DELETE"]) {
        expect((await curl(advertisement(remote), ["-X", method, ...bearer(reading)])).status).toBe(405);
      }
      const { status } = await curl(`${remote}/git-upload-pack`, [
        ...["-X", "POST", "-H", "Content-Type: text/plain", "--data", "0000", ...bearer(reading)],
      ]);
      expect(status).toBe(415);
    });

    test("R57 a read-only repository can be cloned, but not pushed to", async () => {
      const { remote, token } = await createRepository(hosting, { name: "ev-fixed", read_only: true });
      expect((await git(["clone", remote, fresh()], { token })).status).toBe(0);
      const { status, stderr } = await git(["push", remote, "main"], { cwd: work, token });
      expect(status).toBe(128);
      expect(stderr).toContain("403");
    });
  });

  test("R33 and R34 pushes are recorded, and a read token pulls them", async () => {
    const own = await makeOwn("ev-pull");
    const token = (await createRepositoryToken(hosting, { repo: "ev-pull", scope: "read" })).plaintext;
    const clone = fresh();
    await gitOk(["clone", "--quiet", own.remote, clone], { token });
    const { envelope } = await call(`${hosting.base}/repos/ev-pull`, { token: hosting.read });
    const { last_push_at, created_at } = envelope.result as Record<string, string>;
    expect(Date.parse(last_push_at!)).toBeGreaterThanOrEqual(Date.parse(created_at!));
    const head = await commitFiles(own.tree, { "b.txt": "second\n" }, "second");
    await gitOk(["push", "--quiet", "origin", "main"], { cwd: own.tree, token: own.token });
    await gitOk(["pull", "--quiet", "--ff-only"], { cwd: clone, token });
    expect(await gitOk(["rev-parse", "HEAD"], { cwd: clone })).toBe(head);
  });

  describe("the protocol", () => {
    test("R38 version 2 is advertised and not cached", async () => {
      const { status, headers, body } = await curl(advertisement(repository.remote), [
        ...["-H", "Git-Protocol: version=2", ...bearer(reading)],
      ]);
      expect(status).toBe(200);
      expect(headers["content-type"]).toBe("application/x-git-upload-pack-advertisement");
      expect(headers["cache-control"]).toBe("no-cache, max-age=0, must-revalidate");
      const text = body.toString("latin1");
      for (const word of ["version 2", "ls-refs", "fetch"]) expect(text).toContain(word);
    });

    test.each([0, 1])("R39 version %i clones the same", async (version) => {
      const clone = fresh();
      const args = ["-c", `protocol.version=${version}`, "clone", "--quiet", repository.remote, clone];
      await gitOk(args, { token: reading });
      const head = (tree: string) => gitOk(["rev-parse", "HEAD"], { cwd: tree });
      expect(await head(clone)).toBe(await head(work));
    });

    test("R41 a push in chunks arrives", async () => {
      const own = await makeOwn("ev-chunks");
      const noise = Buffer.alloc(5 * 1024 * 1024);
      for (let at = 0, state = 1; at < noise.length; at += 1)
        noise[at] = (state = (state * 48_271) % 2_147_483_647) & 255;
      await commitFiles(own.tree, { "noise.bin": noise }, "noise");
      await gitOk(["-c", "http.postBuffer=65536", "push", "--quiet", "origin", "main"], {
        cwd: own.tree,
        token: own.token,
      });
    });

    test("R42 a request that Git compressed with gzip is decoded", async () => {
      const body = gzipSync("0014command=ls-refs\n00010009peel\n0000");
      const file = join(hosting.folder, "ls-refs.gz");
      writeFileSync(file, body);
      const answer = await curl(`${repository.remote}/git-upload-pack`, [
        ...["-X", "POST", "-H", "Content-Type: application/x-git-upload-pack-request"],
        ...["-H", "Content-Encoding: gzip", "-H", "Git-Protocol: version=2"],
        ...["--data-binary", `@${file}`, ...bearer(reading)],
      ]);
      expect(answer.status).toBe(200);
      expect(answer.body.toString("latin1")).toContain("refs/heads/main");
    });

    test("R43 a shallow clone has one commit, and can be completed", async () => {
      const own = await makeOwn("ev-shallow");
      await commitFiles(own.tree, { "b.txt": "2" }, "second");
      await commitFiles(own.tree, { "c.txt": "3" }, "third");
      await gitOk(["push", "--quiet", "origin", "main"], { cwd: own.tree, token: own.token });
      const clone = fresh();
      await gitOk(["clone", "--quiet", "--depth=1", own.remote, clone], { token: own.token });
      const countCommits = () => gitOk(["rev-list", "--count", "HEAD"], { cwd: clone });
      expect(await countCommits()).toBe("1");
      await gitOk(["fetch", "--quiet", "--unshallow"], { cwd: clone, token: own.token });
      expect(await countCommits()).toBe("3");
    });

    test("R44 a clone without file contents fetches them on demand", async () => {
      const clone = fresh();
      await gitOk(["clone", "--quiet", "--no-checkout", "--filter=blob:none", repository.remote, clone], {
        token: reading,
      });
      const blob = await gitOk(["rev-parse", "HEAD:a.txt"], { cwd: clone });
      const absent = await gitOk(["rev-list", "--objects", "--missing=print", "HEAD"], { cwd: clone });
      expect(absent).toContain(`?${blob}`);
      expect(await gitOk(["cat-file", "blob", blob], { cwd: clone, token: reading })).toBe("first");
    });

    // Each ref is durable before it is reported, which is slow on a busy disk.
    test("R56 2,000 tags are pushed and cloned", async () => {
      const own = await makeOwn("ev-tags");
      const head = await gitOk(["rev-parse", "HEAD"], { cwd: own.tree });
      const lines = Array.from({ length: 2000 }, (_, index) => `create refs/tags/t-${index} ${head}\n`);
      await gitOk(["update-ref", "--stdin"], { cwd: own.tree, input: lines.join("") });
      await gitOk(["push", "--quiet", "--tags", "origin"], { cwd: own.tree, token: own.token });
      const clone = fresh();
      await gitOk(["clone", "--quiet", own.remote, clone], { token: own.token });
      expect((await gitOk(["tag"], { cwd: clone })).split("\n")).toHaveLength(2000);
    }, 120_000);
  });

  test("R19 a fork has the default branch, and all others on request", async () => {
    const own = await makeOwn("ev-forked");
    await gitOk(["push", "--quiet", "origin", "main:refs/heads/side"], { cwd: own.tree, token: own.token });
    const fork = (name: string, more = {}) =>
      call(`${hosting.base}/repos/ev-forked/fork`, {
        ...{ token: hosting.edit, method: "POST" },
        json: { name, ...more },
      });
    const branchesOf = async ({ remote, token }: CreatedRepository) =>
      (await gitOk(["ls-remote", "--heads", remote], { token })).match(/refs\/heads\/\S+/g);
    const { status, envelope } = await fork("ev-f");
    const small = envelope.result as CreatedRepository & { readonly objects: number };
    expect(status).toBe(201);
    expect(small.objects).toBeGreaterThanOrEqual(1);
    expect(await branchesOf(small)).toEqual(["refs/heads/main"]);
    const read = await call(`${hosting.base}/repos/ev-f`, { token: hosting.read });
    expect(read.envelope.result).toMatchObject({ source: "artifacts:events/ev-forked" });
    const whole = (await fork("ev-f-all", { default_branch_only: false })).envelope
      .result as CreatedRepository;
    expect(await branchesOf(whole)).toEqual(["refs/heads/main", "refs/heads/side"]);
  });

  describe("what a push may change", () => {
    test("R45 an atomic push with a refused part changes nothing", async () => {
      const own = await makeOwn("ev-atomic");
      await commitFiles(own.tree, { "b.txt": "2" }, "second");
      await gitOk(["push", "--quiet", "origin", "main"], { cwd: own.tree, token: own.token });
      const before = await gitOk(["ls-remote", "origin"], { cwd: own.tree, token: own.token });
      await gitOk(["checkout", "--quiet", "-b", "side", "HEAD~1"], { cwd: own.tree });
      await commitFiles(own.tree, { "c.txt": "3" }, "beside");
      const { status, stderr } = await git(
        ["push", "--atomic", "origin", "side:refs/heads/main", "side:refs/heads/new"],
        { cwd: own.tree, token: own.token },
      );
      expect(status).not.toBe(0);
      expect(stderr).toContain("atomic push failed");
      expect(await gitOk(["ls-remote", "origin"], { cwd: own.tree, token: own.token })).toBe(before);
    });

    test("R46 only a forced push rewrites history", async () => {
      const own = await makeOwn("ev-force");
      await gitOk(["commit", "--quiet", "--amend", "-m", "again"], { cwd: own.tree });
      const push = (...args: string[]) =>
        git(["push", ...args, "origin", "main"], { cwd: own.tree, token: own.token });
      const refused = await push();
      expect(refused.status).toBe(1);
      expect(refused.stderr).toMatch(/rejected|non-fast-forward/);
      expect((await push("--force")).status).toBe(0);
    });

    test("R47 branches can be created and deleted, but not the default one", async () => {
      const own = await makeOwn("ev-branches");
      const push = (ref: string) => git(["push", "origin", ref], { cwd: own.tree, token: own.token });
      expect((await push("main:refs/heads/side")).status).toBe(0);
      expect((await push(":refs/heads/side")).status).toBe(0);
      const { status, stderr } = await push(":refs/heads/main");
      expect(status).not.toBe(0);
      expect(stderr).toContain("deletion of the current branch prohibited");
    });
  });
});
