import { afterAll, beforeAll, expect, test } from "vitest";
import { makeTemporaryDirectory, removeDirectory, runCommand } from "../support/host-process.ts";

let data: string;
const inData = (...args: readonly string[]) => runCommand(["token", ...args, "--data", data]);

beforeAll(() => {
  data = makeTemporaryDirectory("token-command");
});

afterAll(() => {
  removeDirectory(data);
});

test("a token is created and shown once, listed without its secret, and revoked once", async () => {
  const startedMs = Date.now();
  const made = await inData("create", "--permission", "artifacts:edit");
  expect(made).toMatchObject({ status: 0, lines: [{ permission: "artifacts:edit", expires_at: null }] });
  const [token] = made.lines as { id: string; plaintext: string }[];
  expect(Object.keys(token!)).toEqual(["id", "plaintext", "permission", "expires_at"]);
  expect(token!.plaintext).toMatch(/^ept_[0-9a-f]{40}$/);
  expect(made.stderr).toContain("shown only now");
  const short = await inData("create", "--permission", "artifacts:read", "--expires-in", "60");
  const [expiring] = short.lines as { expires_at: string }[];
  expect(Date.parse(expiring!.expires_at) - startedMs).toBeGreaterThanOrEqual(60_000);
  const listed = await inData("list");
  expect(listed).toMatchObject({
    status: 0,
    lines: [{ id: token!.id, state: "active" }, { permission: "artifacts:read" }],
  });
  expect(JSON.stringify(listed)).not.toContain("ept_");
  expect(await inData("revoke", token!.id)).toMatchObject({ status: 0 });
  expect(await inData("revoke", token!.id)).toMatchObject({ status: 1, lines: [] });
  expect((await inData("list")).lines).toMatchObject([{ state: "revoked" }, { state: "active" }]);
});

test.each([
  [],
  ["make"],
  ["create"],
  ["create", "--permission", "all"],
  ["create", "--permission", "artifacts:read", "--expires-in", "soon"],
  ["create", "--permission", "artifacts:read", "--expires-in", "0"],
  ["create", "--permission", "artifacts:read", "more"],
  ["revoke"],
  ["list", "more"],
])("token %j %j %j is an invalid command line", async (...args) => {
  expect(await inData(...args)).toMatchObject({ status: 2, lines: [] });
});

test("list and revoke create no store", async () => {
  for (const args of [["list"], ["revoke", "x"]]) {
    expect(await runCommand(["token", ...args, "--data", `${data}/none`])).toMatchObject({ status: 1 });
  }
});
