import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { isBusy, sqliteCode } from "./result-codes.ts";
import { notesPath } from "./support/notes-file.ts";
import { setDurability, transact } from "./transact.ts";

function connect(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 });
  onTestFinished(() => {
    database.close();
  });
  return database;
}

test("a transaction is committed as a whole or not at all", () => {
  const database = connect(notesPath());
  database.exec("CREATE TABLE notes (text TEXT)");
  const add = (text: string) => database.prepare("INSERT INTO notes VALUES (?)").run(text);
  expect(transact(database, () => add("wind").changes)).toBe(1);
  expect(() =>
    transact(database, () => {
      add("hail");
      throw new Error("no more");
    }),
  ).toThrow("no more");
  expect(database.isTransaction).toBe(false);
  expect(database.prepare("SELECT text FROM notes").all()).toEqual([{ text: "wind" }]);
});

test("the original error is thrown after SQLite has rolled back the transaction itself", () => {
  const database = connect(notesPath());
  expect(() =>
    transact(database, () => {
      database.exec("ROLLBACK");
      throw new Error("the disk is full");
    }),
  ).toThrow("the disk is full");
});

test("a second writer fails with busy during a transaction", () => {
  const file = notesPath();
  const [first, second] = [connect(file), connect(file)];
  const refused = transact(first, (): unknown => {
    try {
      transact(second, () => undefined);
      return undefined;
    } catch (error) {
      return error;
    }
  });
  expect(sqliteCode(refused)).toBe(5);
  expect(isBusy(refused)).toBe(true);
  expect(transact(second, () => "now")).toBe("now");
});

test("only SQLite errors count as busy", () => {
  for (const other of [undefined, new Error("busy"), Object.assign(new Error(), { errcode: "5" })]) {
    expect(isBusy(other)).toBe(false);
    expect(sqliteCode(other)).toBeUndefined();
  }
  // SQLITE_BUSY_SNAPSHOT and SQLITE_CORRUPT.
  expect(isBusy(Object.assign(new Error(), { errcode: 517 }))).toBe(true);
  expect(isBusy(Object.assign(new Error(), { errcode: 11 }))).toBe(false);
});

test.each([
  ["durable", 2],
  ["lazy", 1],
] as const)("a %s connection syncs at level %d", (durability, level) => {
  const database = connect(notesPath());
  setDurability(database, durability);
  expect(database.prepare("PRAGMA synchronous").get()).toEqual({ synchronous: level });
});
