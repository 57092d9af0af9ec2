// The scenarios of Git's own tests of its HTTP transports, with stock Git at a hosted remote. In addition to R29 to
// R56: the headers, large negotiations, refusals of single refs, secrets in messages, and many clients at once.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commitFiles, git, gitOk, hasGit, makeWorkTree } from "./git.ts";
import { createRepository, missing, startHosting, type CreatedRepository, type Hosting } from "./hosting.ts";
import { hasCurl } from "../support/curl.ts";

interface Own extends CreatedRepository {
  readonly tree: string;
}

describe.skipIf(!hasGit || !hasCurl)(`Git's own scenarios${missing && ` (needs ${missing})`}`, () => {
  let hosting: Hosting;
  let count = 0;
  beforeAll(async () => {
    hosting = await startHosting();
  });
  afterAll(() => hosting.stop());

  const fresh = (): string => join(hosting.folder, `clone-${(count += 1)}`);
  /** Creates a repository with one pushed commit. */
  const makeOwn = async (name: string): Promise<Own> => {
    const created = await createRepository(hosting, { name });
    const tree = await makeWorkTree(join(hosting.folder, name), created.remote);
    await gitOk(["push", "--quiet", "origin", "main"], { cwd: tree, token: created.token });
    return { ...created, tree };
  };
  const clone = async ({ remote, token }: Own, ...args: readonly string[]): Promise<string> => {
    const tree = fresh();
    await gitOk(["clone", "--quiet", ...args, remote, tree], { token });
    return tree;
  };
  const push = ({ tree, token }: Own, ...args: readonly string[]) =>
    git(["push", ...args], { cwd: tree, token });
  const refsOf = ({ remote, token }: Own): Promise<string> => gitOk(["ls-remote", remote], { token });
  const headOf = (cwd: string, name = "HEAD"): Promise<string> => gitOk(["rev-parse", name], { cwd });
  /** Creates a number of new commits on a separate branch, without a common ancestor. */
  const grow = (cwd: string, branch: string, length: number): Promise<string> => {
    const commits = Array.from(
      { length },
      (_, at) =>
        `commit refs/heads/${branch}\ncommitter T <t@example.invalid> ${1_900_000_000 + at} +0000\ndata 1\nx\n`,
    );
    return gitOk(["fast-import", "--quiet"], { cwd, input: commits.join("") });
  };

  test("the headers of a clone and a push are the protocol's", async () => {
    const own = await makeOwn("ev-wire");
    const trace = { GIT_TRACE_CURL: "1", GIT_TRACE_CURL_NO_DATA: "1" };
    const cloned = await git(["clone", own.remote, fresh()], { token: own.token, env: trace });
    await commitFiles(own.tree, { "b.txt": "2" }, "second");
    const pushed = await git(["push", "origin", "main"], { cwd: own.tree, token: own.token, env: trace });
    const received = ({ stderr }: { readonly stderr: string }): string[] =>
      [...stderr.matchAll(/<= Recv header: (HTTP\/1\.1 \d+|content-type: .*|cache-control: .*)/gi)].map(
        ([, line]) => line!.trim().toLowerCase(),
      );
    const answer = (kind: string): unknown[] => [
      "http/1.1 200",
      ...[`content-type: application/x-git-${kind}`, "cache-control: no-cache, max-age=0, must-revalidate"],
    ];
    expect(received(cloned).toSorted()).toEqual(
      [
        ...answer("upload-pack-advertisement"),
        ...answer("upload-pack-result"),
        ...answer("upload-pack-result"),
      ].toSorted(),
    );
    expect(received(pushed).toSorted()).toEqual(
      [...answer("receive-pack-advertisement"), ...answer("receive-pack-result")].toSorted(),
    );
  });

  test.each([
    [0, "packed with gzip", /Send header: content-encoding: gzip/i, 1024 * 1024],
    [0, "in chunks", /Send header: transfer-encoding: chunked/i, 65_536],
    [2, "packed with gzip", /Send header: content-encoding: gzip/i, 1024 * 1024],
    [2, "in chunks", /Send header: transfer-encoding: chunked/i, 65_536],
  ])("a long negotiation of version %i is sent %s", async (version, way, header, postBuffer) => {
    const own = await makeOwn(`ev-talk-${version}-${way.replaceAll(" ", "-")}`);
    const tree = await clone(own);
    await grow(tree, "alone", 5000);
    await commitFiles(own.tree, { "b.txt": "2" }, "second");
    await push(own, "--quiet", "origin", "main");
    const { status, stderr } = await git(
      ["-c", `protocol.version=${version}`, "-c", `http.postBuffer=${postBuffer}`, "fetch", "origin"],
      { cwd: tree, token: own.token, env: { GIT_TRACE_CURL: "1", GIT_TRACE_CURL_NO_DATA: "1" } },
    );
    expect([status, header.test(stderr)]).toEqual([0, true]);
    expect(await headOf(tree, "origin/main")).toBe(await headOf(own.tree));
  });

  test("fetches get new commits and deletions, and nothing twice", async () => {
    const own = await makeOwn("ev-fetch");
    await push(own, "--quiet", "origin", "main:refs/heads/side");
    const tree = await clone(own);
    const head = await commitFiles(own.tree, { "b.txt": "2" }, "second");
    await gitOk(["tag", "-a", "-m", "annotated", "v1"], { cwd: own.tree });
    await push(own, "--quiet", "--follow-tags", "origin", "main", ":side");
    const fetchIt = () => gitOk(["fetch", "--prune", "origin"], { cwd: tree, token: own.token });
    await fetchIt();
    const refs = await gitOk(["for-each-ref", "--format=%(refname)", "refs/remotes", "refs/tags"], {
      cwd: tree,
    });
    expect(refs.split("\n")).toEqual([
      "refs/remotes/origin/HEAD",
      "refs/remotes/origin/main",
      "refs/tags/v1",
    ]);
    expect(await headOf(tree, "v1^{commit}")).toBe(head);
    expect((await git(["fetch", "origin"], { cwd: tree, token: own.token })).stderr).toBe("");
    expect((await push(own, "origin", "main")).stderr).toContain("Everything up-to-date");
  });

  test("a single branch, a tag and a mirror are cloned, and a mirror is pushed", async () => {
    const own = await makeOwn("ev-kinds");
    await gitOk(["tag", "v1"], { cwd: own.tree });
    await commitFiles(own.tree, { "b.txt": "2" }, "second");
    await push(own, "--quiet", "--all", "origin");
    await push(own, "--quiet", "--tags", "origin");
    expect(await headOf(await clone(own, "--branch=v1"))).toBe(await headOf(own.tree, "v1"));
    const mirror = await clone(own, "--mirror");
    expect(await headOf(mirror, "refs/heads/main")).toBe(await headOf(own.tree));
    const other = await createRepository(hosting, { name: "ev-mirror" });
    await gitOk(["push", "--quiet", "--mirror", other.remote], { cwd: mirror, token: other.token });
    expect(await refsOf({ ...other, tree: mirror })).toBe(await refsOf(own));
  });

  test("a shallow clone can push", async () => {
    const own = await makeOwn("ev-depth");
    await commitFiles(own.tree, { "b.txt": "2" }, "second");
    await push(own, "--quiet", "origin", "main");
    const tree = await clone(own, "--depth=1");
    const head = await commitFiles(tree, { "c.txt": "3" }, "third");
    await gitOk(["push", "--quiet", "origin", "main"], { cwd: tree, token: own.token });
    expect(await refsOf(own)).toContain(`${head}\trefs/heads/main`);
    expect(await gitOk(["rev-list", "--count", "HEAD"], { cwd: await clone(own) })).toBe("3");
  });

  test("a refused ref is reported, and the others succeed", async () => {
    const own = await makeOwn("ev-partly");
    const first = await headOf(own.tree);
    const second = await commitFiles(own.tree, { "b.txt": "2" }, "second");
    await push(own, "--quiet", "origin", "main");
    await gitOk(["checkout", "--quiet", "-b", "side", first], { cwd: own.tree });
    const beside = await commitFiles(own.tree, { "c.txt": "3" }, "beside");
    const { status, stdout, stderr } = await push(
      own,
      ...["--porcelain", "origin", "side:refs/heads/main", "side:refs/heads/new"],
    );
    expect(status).toBe(1);
    const report = stdout.toString("utf8");
    expect(report).toMatch(/^!\t\S+:refs\/heads\/main\t\[rejected\] \(non-fast-forward\)$/m);
    expect(report).toMatch(/^\*\t\S+:refs\/heads\/new\t\[new branch\]$/m);
    expect(stderr).toContain("Updates were rejected because");
    const refs = await refsOf(own);
    expect(refs).toContain(`${second}\trefs/heads/main`);
    expect(refs).toContain(`${beside}\trefs/heads/new`);
  });

  test("a stale lease is refused", async () => {
    const own = await makeOwn("ev-lease");
    const first = await headOf(own.tree);
    const second = await commitFiles(own.tree, { "b.txt": "2" }, "second");
    await push(own, "--quiet", "origin", "main");
    await gitOk(["commit", "--quiet", "--amend", "-m", "again"], { cwd: own.tree });
    const lease = (old: string) => push(own, `--force-with-lease=main:${old}`, "origin", "main");
    const stale = await lease(first);
    expect([stale.status, stale.stderr]).toEqual([1, expect.stringContaining("stale info")]);
    expect(await refsOf(own)).toContain(second);
    expect((await lease(second)).status).toBe(0);
  });

  test("no message contains a password from the address", async () => {
    const own = await makeOwn("ev-quiet");
    const secret = own.token.split("?")[0]!;
    const wrong = `art_v1_${"0".repeat(40)}`;
    const urlOf = (password: string, remote = own.remote): string =>
      remote.replace("http://", `http://x:${password}@`);
    const failed = await git(["clone", urlOf(wrong), fresh()]);
    expect(failed.status).toBe(128);
    expect(failed.stderr).toContain("Authentication failed");
    await commitFiles(own.tree, { "b.txt": "2" }, "second");
    const said = [
      failed,
      await git(["push", urlOf(secret), "main"], { cwd: own.tree }),
      await git(["push", urlOf(secret), ":refs/heads/main"], { cwd: own.tree }),
      await git(["fetch", urlOf(secret, own.remote.replace("ev-quiet", "none"))], { cwd: own.tree }),
    ].map(({ stderr }) => stderr);
    expect(said[1]).toContain("main -> main");
    for (const text of said) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(wrong);
    }
  });

  test("Git's old protocol and unknown paths are refused with a message", async () => {
    const own = await makeOwn("ev-old");
    const dumb = await git(["clone", own.remote, fresh()], {
      token: own.token,
      env: { GIT_SMART_HTTP: "0" },
    });
    expect(dumb.status).toBe(128);
    const none = await git(["fetch", own.remote, "refs/heads/none"], { cwd: own.tree, token: own.token });
    expect([none.status, none.stderr]).toEqual([128, expect.stringContaining("couldn't find remote ref")]);
    const unknown = "1".repeat(40);
    const object = await git(["fetch", own.remote, unknown], { cwd: own.tree, token: own.token });
    expect([object.status, object.stderr]).toEqual([128, expect.stringContaining("not our ref")]);
  });

  test("clones during pushes are complete, and every push to a separate branch succeeds", async () => {
    const own = await makeOwn("ev-crowd");
    const writers = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        const tree = await clone(own);
        await commitFiles(tree, { [`${index}.txt`]: `${index}` }, `of ${index}`);
        return tree;
      }),
    );
    const readers = Array.from({ length: 4 }, () => clone(own));
    const ends = await Promise.all(
      writers.map((tree, index) =>
        git(["push", "--quiet", "origin", `main:refs/heads/b-${index}`], { cwd: tree, token: own.token }),
      ),
    );
    expect(ends.map(({ status, stderr }) => [status, stderr])).toEqual(ends.map(() => [0, ""]));
    for (const tree of await Promise.all(readers)) await gitOk(["fsck", "--strict"], { cwd: tree });
    const refs = await refsOf(own);
    expect(refs.match(/refs\/heads\/b-\d/g)).toHaveLength(4);
  });
});
