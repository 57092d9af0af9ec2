import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseDatabaseUrl } from "./database-url.ts";
import { findPassword } from "./password-file.ts";

test("an address with several hosts is read as libpq does", () => {
  expect(
    parseDatabaseUrl(
      "postgres://wx%40a@db1,db2:5433,[::1]:5434/echo%20top?sslmode=verify-ca&connect_timeout=5",
    ),
  ).toEqual({
    hosts: [
      { host: "db1", port: 5432 },
      { host: "db2", port: 5433 },
      { host: "::1", port: 5434 },
    ],
    database: "echo top",
    user: "wx@a",
    sslMode: "verify-ca",
    sslRootCertificate: undefined,
    connectTimeoutMs: 5_000,
  });
  expect(parseDatabaseUrl("postgresql://u@/d?host=/run/postgresql").hosts).toEqual([
    { host: "/run/postgresql", port: 5432 },
  ]);
});

test("without sslmode, only hosts of this machine are trusted unseen", () => {
  const modeOf = (hosts: string): string => parseDatabaseUrl(`postgres://u@${hosts}/d`).sslMode;
  expect(["localhost", "127.0.0.1:99", "localhost,db2", "db1"].map(modeOf)).toEqual([
    "disable",
    "disable",
    "verify-full",
    "verify-full",
  ]);
});

test("an address that is wrong or has a password is refused without repeating it", () => {
  for (const url of [
    "postgres://u:hunter2@db1/d",
    "postgres://u@db1/d?password=hunter2",
    "postgres://u@db1/d?hunter2=1&sslmode=require".replace("hunter2", "sslpassword"),
    "postgres://u@db1/d?sslmode=prefer",
    "postgres://u@db1:70000/d",
    "postgres://u%zz@db1/d",
    "postgres://u@db1/d?connect_timeout=x",
    "postgres://u@db1/d?target_session_attrs=any",
    "mysql://u@db1/d",
    "",
  ]) {
    expect(() => parseDatabaseUrl(url), url).toThrow(/^The database's address `catalog\.url` (?!.*hunter2)/);
  }
});

test("the first line of the pgpass file that fits has the password, unless PGPASSWORD is set", async () => {
  const folder = await mkdtemp(join(tmpdir(), "echotop-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "pgpass");
  const lines = [
    "# notes",
    "db1:5432:echotop:wx:one",
    "*:5433:*:wx:a\\:b\\\\c",
    "localhost:*:*:*:socket",
    "short:1",
  ];
  await writeFile(file, lines.join("\n"), { mode: 0o600 });
  const find = (host: string, port: number, more: Record<string, string> = {}): Promise<string | undefined> =>
    findPassword({ host, port }, { database: "echotop", user: "wx" }, { PGPASSFILE: file, ...more });
  expect(await find("db1", 5432)).toBe("one");
  expect(await find("db2", 5433)).toBe("a:b\\c");
  expect(await find("/run/postgresql", 5432)).toBe("socket");
  expect(await find("db2", 5432)).toBeUndefined();
  expect(await find("db1", 5432, { PGPASSWORD: "first" })).toBe("first");
  await chmod(file, 0o640);
  expect(await find("db1", 5432)).toBeUndefined();
});
