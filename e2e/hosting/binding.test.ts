// The function binding of a host in this process, next to the listener that shares its repositories; and the
// configuration that it needs (R28's clock, R64 to R67).
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ApiConfig } from "../../electron/host/config/host-config.ts";
import { makeTemporaryDirectory, removeDirectory, runCommand } from "../../electron/support/host-process.ts";
import { startLocalHost, type LocalHost } from "../support/local-host.ts";
import { call, curl, hasCurl } from "../support/curl.ts";
import { createPlatformToken } from "../support/platform-token.ts";
import { git, hasGit } from "./git.ts";
import { missing } from "./hosting.ts";

let folder: string;
let host: LocalHost | undefined;
let nowMs: number;

beforeEach(() => {
  folder = makeTemporaryDirectory("binding");
  nowMs = Date.now();
});
afterEach(async () => {
  await host?.close();
  host = undefined;
  removeDirectory(folder);
});

const data = (): string => join(folder, "data");

async function startHost(artifacts: ApiConfig["artifacts"]): Promise<LocalHost> {
  host = await startLocalHost(data(), {
    api: { isOn: true, port: 0, artifacts },
    now: () => new Date(nowMs),
  });
  return host;
}

describe.skipIf(!hasGit || !hasCurl)(`function bindings${missing && ` (needs ${missing})`}`, () => {
  test("R64 REST and Git see what the binding creates without credentials", async () => {
    const { bindings: bound, api } = await startHost([{ binding: "PACKS", namespace: "events" }]);
    const created = await bound().PACKS!.create("ev-b");
    expect(created.remote).toBe(`${api!}/git/events/ev-b.git`);
    const token = await createPlatformToken(data(), "artifacts:read");
    const url = `${api!}/client/v4/accounts/local/artifacts/namespaces/events/repos/ev-b`;
    expect((await call(url, { token })).envelope.result).toMatchObject({ id: created.id, name: "ev-b" });
    expect(
      (await git(["clone", created.remote, join(folder, "clone")], { token: created.token })).status,
    ).toBe(0);
  });

  test("R65 bindings of one namespace share repositories, those of different ones do not", async () => {
    const { bindings: bound } = await startHost([
      { binding: "A", namespace: "one" },
      { binding: "B", namespace: "one" },
      { binding: "C", namespace: "two" },
    ]);
    await bound().A!.create("ev");
    const namesOf = async (name: string): Promise<string[]> =>
      (await bound()[name]!.list()).repos.map((repo) => repo.name);
    expect([await namesOf("A"), await namesOf("B"), await namesOf("C")]).toEqual([["ev"], ["ev"], []]);
  });

  test("R66 missing repositories and invalid arguments have error codes", async () => {
    const { bindings: bound } = await startHost([{ binding: "PACKS", namespace: "events" }]);
    const packs = bound().PACKS!;
    await expect(packs.get("none")).rejects.toMatchObject({
      name: "ArtifactsError",
      code: "NOT_FOUND",
      numericCode: 10_200,
    });
    expect(await packs.delete("none")).toBe(false);
    await expect(packs.list({ limit: 0 })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  test("R28 a token expires on time, whatever its suffix says", async () => {
    const { bindings: bound } = await startHost([{ binding: "PACKS", namespace: "events" }]);
    const { remote } = await bound().PACKS!.create("ev");
    const repository = await bound().PACKS!.get("ev");
    const { plaintext } = await repository.createToken("read", 60);
    const advertise = async (secret: string): Promise<number> => {
      const url = `${remote}/info/refs?service=git-upload-pack`;
      return (await curl(url, ["-H", `Authorization: Bearer ${secret}`])).status;
    };
    expect(await advertise(plaintext)).toBe(200);
    nowMs += 61_000;
    expect(await advertise(plaintext)).toBe(401);
    const later = Math.floor(nowMs / 1000) + 3600;
    expect(await advertise(plaintext.replace(/expires=\d+/, `expires=${later}`))).toBe(401);
  });
});

test.each([
  ["artifacts.0.binding", { artifacts: [{ namespace: "events" }] }],
  [
    "artifacts.1.binding",
    {
      artifacts: [
        { binding: "A", namespace: "a" },
        { binding: "A", namespace: "b" },
      ],
    },
  ],
  ["artifacts.0.namespace", { artifacts: [{ binding: "A", namespace: "../x" }] }],
  ["compatibility_date", { compatibility_date: undefined, artifacts: [] }],
  ["compatibility_date", { compatibility_date: "2999-01-01", artifacts: [] }],
])("R67 a start fails and names %s", async (key, wrong) => {
  const config = join(folder, "wrong.json");
  writeFileSync(
    config,
    JSON.stringify({ compatibility_date: "2026-11-20", repositories: { port: 0 }, ...wrong }),
  );
  const { status, stderr } = await runCommand(["serve", "--data", data(), "--config", config, "--no-open"]);
  expect(status).toBe(1);
  expect(stderr).toContain(key);
});
