import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createRepositories } from "./repositories.ts";
import { openDatabase } from "./hosting-database.ts";
import { repositoryLayout } from "./repository-folders.ts";
import { easyTransfer, openTestRepositories, temporaryDirectory } from "./support/open-repositories.ts";

test("one host at a time owns a directory, and the next one finds the repositories of the first", async () => {
  const { directory, repositories } = await openTestRepositories();
  const { repository, token } = await repositories.create("events", { name: "ev" });
  await expect(openTestRepositories({ directory })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("in use by another Echotop") as string,
  });
  await repositories.close();
  await repositories.close();
  const { repositories: next } = await openTestRepositories({ directory });
  expect(await next.find("events", "ev")).toEqual(repository);
  expect(await next.authorizeGit("events", "ev", token.plaintext)).toMatchObject({ tokenId: token.id });
});

test.each([
  ["of a newer version", "PRAGMA application_id = 0x45726570; PRAGMA user_version = 99", "newer Echotop"],
  ["of another program", "CREATE TABLE theirs (a)", "another program"],
])("a directory %s is refused, untouched", async (_which, sql, sentence) => {
  const directory = await temporaryDirectory();
  const { root, databaseFile } = repositoryLayout(directory);
  mkdirSync(root);
  const database = new DatabaseSync(databaseFile);
  database.exec(sql);
  database.close();
  const before = readFileSync(databaseFile);
  await expect(openTestRepositories({ directory })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining(sentence) as string,
  });
  expect(readFileSync(databaseFile)).toEqual(before);
  expect(readdirSync(root)).toEqual(["repositories.sqlite"]);
});

test("hosts that read the file as they start do not block its owner", async () => {
  const file = join(await temporaryDirectory(), "repositories.sqlite");
  openDatabase(file).close();
  const looker = fork(fileURLToPath(new URL("support/look-again.ts", import.meta.url)), [file]);
  const ended = once(looker, "exit");
  onTestFinished(async () => {
    looker.kill("SIGKILL");
    await ended;
  });
  await once(looker, "message");
  for (let times = 0; times < 500; times++) openDatabase(file).close();
});

test("only the host that owns the directory ends the processes of an earlier one", async () => {
  const { directory, repositories } = await openTestRepositories();
  const ended: string[] = [];
  const open = (name: string) =>
    createRepositories({
      dataDirectory: directory,
      transfer: easyTransfer,
      now: () => new Date(),
      log: () => undefined,
      endLeftovers: () => {
        ended.push(name);
        return Promise.resolve();
      },
    });
  await expect(open("second")).rejects.toMatchObject({ code: "conflict" });
  expect(ended).toEqual([]);
  await repositories.close();
  const third = await open("third");
  expect(ended).toEqual(["third"]);
  await third.close();
});
