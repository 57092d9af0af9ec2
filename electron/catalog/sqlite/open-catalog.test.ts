// Opening a data directory: versions, foreign files, concurrent first opens, and cleanup of staging.
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { openDatabase } from "./catalog-database.ts";
import { catalogKind, migrations } from "./schema/catalog-schema.ts";
import { openCatalog } from "./open-catalog.ts";
import { assumedFiles, draftOf, openTestCatalog, temporaryDirectory } from "../support/drafts.ts";

const now = (): Date => new Date();

/** Returns names and bytes of all files below a directory. */
function contentOf(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, readFileSync(path).toString("latin1")] as const;
    }),
  );
}

function setVersion(directory: string, version: number): void {
  const database = new DatabaseSync(join(directory, "catalog.sqlite"));
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
}

describe("a data directory", () => {
  test("with frames but without its catalog is refused and stays unchanged", async () => {
    const directory = await temporaryDirectory();
    await mkdir(join(directory, "frames", "ab"), { recursive: true });
    await writeFile(join(directory, "frames", "ab", "picture.png"), "x");
    await expect(openCatalog({ directory, now })).rejects.toMatchObject({ code: "stored-data-invalid" });
    expect(readdirSync(directory)).toEqual(["frames"]);
  });

  test("is created with all its folders if it is missing", async () => {
    const directory = join(await temporaryDirectory(), "deep", "data");
    const catalog = await openCatalog({ directory, now });
    expect(readdirSync(directory)).toEqual(
      expect.arrayContaining(["catalog.sqlite", "frames", "staging", "writers.lock"]),
    );
    await catalog.close();
    expect(readdirSync(directory).toSorted()).toEqual([
      "catalog.sqlite",
      "frames",
      "staging",
      "writers.lock",
    ]);
  });

  test("of a newer version is refused and stays unchanged byte for byte", async () => {
    const { catalog, directory } = await openTestCatalog();
    await catalog.publish(draftOf("a", {}));
    await catalog.close();
    setVersion(directory, 99);
    const before = contentOf(directory);
    await expect(openCatalog({ directory, now })).rejects.toMatchObject({
      code: "conflict",
      detail: expect.stringContaining("version 99") as string,
    });
    expect(contentOf(directory)).toEqual(before);
  });

  test("of another program is refused", async () => {
    const directory = await temporaryDirectory();
    const database = new DatabaseSync(join(directory, "catalog.sqlite"));
    database.exec("CREATE TABLE theirs (a)");
    database.close();
    const before = contentOf(directory);
    await expect(openCatalog({ directory, now })).rejects.toMatchObject({ code: "conflict" });
    expect(contentOf(directory)).toEqual(before);
  });

  test("whose catalog is not a database is refused with a clear message", async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "catalog.sqlite"), "x".repeat(10_000));
    await expect(openCatalog({ directory, now })).rejects.toMatchObject({
      code: "stored-data-invalid",
      detail: expect.not.stringContaining(directory) as string,
    });
  });

  test("cannot be a file, and the message says so", async () => {
    const directory = join(await temporaryDirectory(), "file");
    await writeFile(directory, "");
    await expect(openCatalog({ directory, now })).rejects.toMatchObject({ code: "storage-failed" });
  });

  test("is migrated if a crash left its catalog empty", async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "catalog.sqlite"), "");
    const { catalog } = await openTestCatalog(directory);
    expect((await catalog.publish(draftOf("a", {}))).revision?.sequence).toBe(1);
  });

  test("is created once if many processes open it at the same time", async () => {
    const directory = await temporaryDirectory();
    const catalogs = await Promise.all(
      Array.from({ length: 8 }, () => openCatalog({ directory, now, files: assumedFiles(directory) })),
    );
    const outcomes = await Promise.all(
      catalogs.map((catalog, index) => catalog.publish(draftOf("a", { seconds: index * 120 }))),
    );
    expect(outcomes.map(({ revision }) => revision?.sequence).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    await Promise.all(catalogs.map((catalog) => catalog.close()));
  });
});

describe("migration", () => {
  const present = migrations.length;
  const extended = [
    ...migrations,
    { version: present + 1, sql: "ALTER TABLE events ADD COLUMN note TEXT NOT NULL DEFAULT 'none'" },
    { version: present + 2, sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT" },
  ];

  test("applies the missing steps to an older directory and preserves its content", async () => {
    const { catalog, directory } = await openTestCatalog();
    await catalog.publish(draftOf("a", {}));
    await catalog.close();
    const file = join(directory, "catalog.sqlite");
    const opened = await Promise.all([
      openDatabase(file, "write", { ...catalogKind, migrations: extended }),
      openDatabase(file, "read", { ...catalogKind, migrations: extended }),
    ]);
    for (const database of opened) {
      expect(database.prepare("PRAGMA user_version").get()).toMatchObject({ user_version: present + 2 });
      expect(database.prepare("SELECT id, note FROM events").all()).toMatchObject([
        { id: "a", note: "none" },
      ]);
      database.close();
    }
    await expect(openCatalog({ directory, now })).rejects.toMatchObject({ code: "conflict" });
  });

  test("leaves the older version if a step fails", async () => {
    const { catalog, directory } = await openTestCatalog();
    await catalog.close();
    const file = join(directory, "catalog.sqlite");
    const broken = [
      ...extended,
      { version: present + 3, sql: "CREATE TABLE more (a); SELECT * FROM nowhere" },
    ];
    await expect(openDatabase(file, "write", { ...catalogKind, migrations: broken })).rejects.toThrow(
      /nowhere/,
    );
    const reopened = await openTestCatalog(directory);
    expect(await reopened.catalog.listEvents(1)).toEqual([]);
  });

  test("steps are numbered from 1 without a gap", () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
  });
});

describe("staging", () => {
  test("is cleared by the only writer, and left unchanged while another writer exists", async () => {
    const directory = await temporaryDirectory();
    const leftover = join(directory, "staging", "left.png");
    await mkdir(join(directory, "staging"));
    await writeFile(leftover, "half a frame");
    const first = await openCatalog({ directory, now });
    expect(readdirSync(join(directory, "staging"))).toEqual([]);
    await writeFile(leftover, "a frame on its way");
    const second = await openCatalog({ directory, now });
    await first.close();
    const third = await openCatalog({ directory, now });
    expect(readdirSync(join(directory, "staging"))).toEqual(["left.png"]);
    await second.close();
    await third.close();
    const fourth = await openCatalog({ directory, now });
    expect(readdirSync(join(directory, "staging"))).toEqual([]);
    await fourth.close();
  });
});
