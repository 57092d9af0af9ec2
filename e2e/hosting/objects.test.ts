// Files and objects of a hosted repository, read without Git (R62, R63).
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commitFiles, gitOk, hasGit, makeWorkTree } from "./git.ts";
import { createRepository, missing, startHosting, type Hosting } from "./hosting.ts";
import { curl, hasCurl, type Answer } from "../support/curl.ts";

const packJson = '{"schemaVersion":1,"café":"\\u0000"}\n';
const page = "<!doctype html><script>alert(1)</script>";

describe.skipIf(!hasGit || !hasCurl)(`object reads${missing && ` (needs ${missing})`}`, () => {
  let hosting: Hosting;
  let tree: string;
  beforeAll(async () => {
    hosting = await startHosting();
    const { remote, token } = await createRepository(hosting, { name: "ev-a" });
    tree = await makeWorkTree(join(hosting.folder, "work"), remote, {
      "pack.json": packJson,
      "frames/page.html": page,
    });
    await commitFiles(tree, { "b.txt": "second\n" }, "second\u001b[31m");
    await gitOk(["push", "--quiet", "origin", "main", "main:refs/heads/feature/deep"], { cwd: tree, token });
  });
  afterAll(() => hosting.stop());

  const get = (path: string, ...args: string[]): Promise<Answer> =>
    curl(`${hosting.base}/repos/ev-a/${path}`, ["-H", `Authorization: Bearer ${hosting.read}`, ...args]);
  const resultOf = ({ body }: Answer): unknown =>
    (JSON.parse(body.toString("utf8")) as { result: unknown }).result;

  test("R62 a file has the pushed bytes", async () => {
    const { status, body, headers } = await get("file?ref=main&path=pack.json");
    expect(status).toBe(200);
    expect(body.toString("utf8")).toBe(packJson);
    expect(headers["x-content-type-options"]).toBe("nosniff");
  });

  test.each([
    "file?ref=main&path=../x",
    "file?ref=main&path=frames",
    "file?ref=none&path=pack.json",
    "raw/main/none",
  ])("R62 %s is not found", async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  test.each(["main", "feature/deep"])("R62 an HTML page on %s is never sent as HTML", async (ref) => {
    const { status, headers, body } = await get(`raw/${ref}/frames/page.html`);
    expect(status).toBe(200);
    expect(body.toString("utf8")).toBe(page);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["content-type"]).not.toMatch(/html|xml|svg/);
  });

  test("R63 objects by hash are immutable; missing and invalid ones differ", async () => {
    expect((await get(`blob/${"0".repeat(40)}`)).status).toBe(404);
    expect((await get("blob/BAD")).status).toBe(400);
    const blob = await gitOk(["rev-parse", "main:pack.json"], { cwd: tree });
    const answer = await get(`blob/${blob}`);
    expect([answer.status, answer.body.toString("utf8")]).toEqual([200, packJson]);
    expect(answer.headers["cache-control"]).toContain("immutable");
    const again = await get(`blob/${blob}`, "-H", `If-None-Match: ${answer.headers.etag!}`);
    expect(again.status).toBe(304);
  });

  test("a tree, a commit and the log agree with Git", async () => {
    const [head, first, root] = await Promise.all(
      ["HEAD", "HEAD~1", "HEAD^{tree}"].map((name) => gitOk(["rev-parse", name], { cwd: tree })),
    );
    expect(resultOf(await get("log?ref=main"))).toMatchObject([
      { hash: head, parents: [first], message: "second\u001b[31m\n" },
      { hash: first, parents: [] },
    ]);
    expect(resultOf(await get(`commit/${head!}`))).toMatchObject({
      tree_hash: root,
      author: { name: "Tester" },
    });
    expect(resultOf(await get(`tree/${root!}`))).toMatchObject({
      entries: [
        { name: "b.txt", mode: "100644", type: "blob", size: 7 },
        { name: "frames", mode: "040000", type: "tree" },
        { name: "pack.json" },
      ],
    });
  });
});
