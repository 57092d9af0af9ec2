import { execFile } from "node:child_process";
import { readdir, readFile, stat, writeFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { openPlatformTokens, type PlatformTokens } from "./platform-tokens.ts";
import { makeDirectory } from "./support/test-api.ts";

let nowMs = Date.parse("2026-05-20T00:00:00Z");

async function open(directory: string): Promise<PlatformTokens> {
  const tokens = await openPlatformTokens({ directory, file: "make", now: () => new Date(nowMs) });
  onTestFinished(() => {
    tokens.close();
  });
  return tokens;
}

test("a token has its form and permission, and its secret is not on disk", async () => {
  const directory = await makeDirectory();
  const tokens = await open(directory);
  const made = tokens.create({ permission: "artifacts:edit", name: "laptop" });
  expect(made.plaintext).toMatch(/^ept_[0-9a-f]{40}$/);
  expect(made.id).toMatch(/^[0-9a-z]{16}$/);
  expect(made).toMatchObject({ name: "laptop", expiresAt: null, state: "active" });
  expect(tokens.authenticate(made.plaintext)).toEqual({ id: made.id, permission: "artifacts:edit" });
  expect(JSON.stringify(tokens.list())).not.toContain(made.plaintext.slice(4));
  for (const file of await readdir(join(directory, "control"))) {
    const bytes = await readFile(join(directory, "control", file));
    expect(bytes.includes(made.plaintext.slice(4))).toBe(false);
  }
  if (process.platform !== "win32") {
    expect((await stat(join(directory, "control"))).mode & 0o777).toBe(0o700);
  }
});

test("reports expiry and revocation as its state", async () => {
  const tokens = await open(await makeDirectory());
  const short = tokens.create({ permission: "artifacts:read", expiresInSeconds: 60 });
  const other = tokens.create({ permission: "artifacts:read" });
  expect(short.expiresAt).toBe(new Date(nowMs + 60_000).toISOString());
  nowMs += 59_999;
  expect(tokens.authenticate(short.plaintext)).toBeDefined();
  nowMs += 1;
  expect(tokens.authenticate(short.plaintext)).toBeUndefined();
  expect(tokens.revoke(other.id)).toBe(true);
  expect(tokens.revoke(other.id)).toBe(false);
  expect(tokens.revoke("0000000000000000")).toBe(false);
  expect(tokens.authenticate(other.plaintext)).toBeUndefined();
  expect(tokens.list().map(({ state }) => state)).toEqual(["expired", "revoked"]);
});

test.each([
  { expiresInSeconds: 0 },
  { expiresInSeconds: 1.5 },
  { expiresInSeconds: 315_360_001 },
  { expiresInSeconds: Number.NaN },
  { name: "" },
  { name: "x".repeat(101) },
])("a draft with %j is refused", async (draft) => {
  const tokens = await open(await makeDirectory());
  expect(() => tokens.create({ permission: "artifacts:read", ...draft })).toThrow(/ of a token must /);
  expect(tokens.list()).toEqual([]);
});

test("tokens and revocations of another process take effect immediately", async () => {
  const directory = await makeDirectory();
  const tokens = await open(directory);
  const module = new URL("./platform-tokens.ts", import.meta.url).href;
  const script = `
    const { openPlatformTokens } = await import(${JSON.stringify(module)});
    const tokens = await openPlatformTokens({ directory: process.argv[1], file: "make", now: () => new Date(${nowMs}) });
    for (let made = 0; made < 20; made += 1) console.log(tokens.create({ permission: "artifacts:read" }).plaintext);
    for (const { id, name } of tokens.list()) if (name === "doomed") tokens.revoke(id);
    tokens.close();`;
  const doomed = tokens.create({ permission: "artifacts:edit", name: "doomed" });
  const run = promisify(execFile);
  const others = ["a", "b"].map(() =>
    run(process.execPath, ["--input-type=module", "--eval", script, directory]),
  );
  const mine = Array.from({ length: 20 }, () => tokens.create({ permission: "artifacts:read" }).plaintext);
  const theirs = (await Promise.all(others)).flatMap(({ stdout }) => stdout.trim().split("\n"));
  expect(new Set([...mine, ...theirs]).size).toBe(60);
  for (const secret of [...mine, ...theirs]) expect(tokens.authenticate(secret), secret).toBeDefined();
  expect(tokens.authenticate(doomed.plaintext)).toBeUndefined();
  expect(tokens.list()).toHaveLength(61);
});

test("refuses a file of another program or a newer version, and does not change it", async () => {
  const directory = await makeDirectory();
  await mkdir(join(directory, "control"));
  const file = join(directory, "control", "tokens.sqlite");
  const foreign = new DatabaseSync(file);
  foreign.exec("CREATE TABLE theirs (a)");
  foreign.close();
  const before = await readFile(file);
  await expect(open(directory)).rejects.toThrow(/another program/);
  expect(await readFile(file)).toEqual(before);
  const newer = await makeDirectory();
  (await open(newer)).close();
  const database = new DatabaseSync(join(newer, "control", "tokens.sqlite"));
  database.exec("PRAGMA user_version = 99");
  database.close();
  await expect(open(newer)).rejects.toThrow(/newer Echotop/);
});

test("describes a damaged or missing store in a sentence", async () => {
  const directory = await makeDirectory();
  const options = { directory, file: "existing", now: () => new Date() } as const;
  await expect(openPlatformTokens(options)).rejects.toMatchObject({ code: "not-found" });
  expect(await readdir(directory)).toEqual([]);
  await mkdir(join(directory, "control"));
  await writeFile(
    join(directory, "control", "tokens.sqlite"),
    "not a database at all, whatever its name says",
  );
  await expect(openPlatformTokens(options)).rejects.toMatchObject({ code: "storage-failed" });
});
