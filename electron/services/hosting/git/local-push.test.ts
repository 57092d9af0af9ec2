import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makePack, makePush, objectId, type PackEntry } from "../../../sharing/git/support/make-pack.ts";
import { machineGit, startGitServer, type TestServer } from "../support/transport-server.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startGitServer({ maxPackBytes: 8_000_000 });
});
afterEach(async () => {
  await server.close();
});

const refs = async () => (await server.git(["--git-dir", server.repository, "for-each-ref"])).out;

/** A push of one commit with one file. */
function makeBody(): { readonly body: Buffer; readonly commit: string } {
  const content = randomBytes(100_000);
  const tree = Buffer.concat([Buffer.from("100644 frame\0"), objectId("blob", content)]);
  const who = "A <a@localhost> 0 +0000";
  const treeId = objectId("tree", tree).toString("hex");
  const text = Buffer.from(`tree ${treeId}\nauthor ${who}\ncommitter ${who}\n\nx\n`);
  const entries: PackEntry[] = [
    { type: 1, content: text },
    { type: 2, content: tree },
    { type: 3, content },
  ];
  const commit = objectId("commit", text).toString("hex");
  return { commit, body: makePush("refs/heads/main", commit, makePack(entries), "report-status atomic") };
}

describe.skipIf("missing" in machineGit)("a push from this process", () => {
  test("updates the ref, is recorded without a token, and returns a report", async () => {
    const { body, commit } = makeBody();
    expect(await server.receive(body)).toMatch(/unpack ok\n.*ok refs\/heads\/main\n/s);
    expect(await refs()).toBe(`${commit} commit\trefs/heads/main\n`);
    expect(server.pushes).toEqual([`${"0".repeat(40)} ${commit} refs/heads/main`]);
    expect(server.pushTokens).toEqual([null]);
    expect((await server.git(["--git-dir", server.repository, "fsck", "--strict"])).status).toBe(0);
  });

  test("of a damaged pack is refused and leaves nothing behind", async () => {
    const { body } = makeBody();
    body.writeUInt8(body.readUInt8(body.length - 60_000) ^ 0xff, body.length - 60_000);
    expect(await server.receive(body)).toMatch(/unpack (?:pack|index-pack)/);
    expect(await refs()).toBe("");
    expect(await server.strays()).toEqual([]);
    expect(server.pushes).toEqual([]);
  });

  test("is refused for a read-only or deleted repository, and while hosting closes", async () => {
    server.readOnly = true;
    await expect(server.receive(makeBody().body)).rejects.toMatchObject({ status: 403 });
    server.readOnly = false;
    await server.transport.endRepository("0123456789abcdef");
    await expect(server.receive(makeBody().body)).rejects.toMatchObject({ status: 404 });
    await server.transport.close();
    await expect(server.receive(makeBody().body)).rejects.toMatchObject({ status: 503 });
    expect(await refs()).toBe("");
  });

  test("ends with the signal's reason and frees its slot when aborted", async () => {
    const reason = new Error("enough");
    await expect(server.receive(makeBody().body, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await server.receive(makeBody().body)).toContain("unpack ok");
  });
});
