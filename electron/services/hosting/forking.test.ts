// Forks whose original is deleted during the copy, with the machine's Git.
import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { repositoryLayout } from "./repository-folders.ts";
import { gitMissing, openWorkshop, type Workshop } from "./support/sample-repository.ts";
import type { Repositories } from "./repositories.ts";
import { openTestRepositories } from "./support/open-repositories.ts";
import { createTransfer } from "./transfer/transfer.ts";
import type { Transfer } from "./transfer/transfer.ts";

type Fork = Transfer["fork"];

describe.skipIf(gitMissing)("a fork whose original is deleted during the copy (needs Git)", () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await openWorkshop();
  });
  afterAll(() => workshop.close());

  /** `meddle` runs Git's copy and interferes with it. */
  async function forkWhile(meddle: (fork: Fork, repositories: Repositories) => Fork) {
    const transfer = createTransfer({
      ...{ runner: workshop.runner, importAllow: [], importCaFile: undefined, maxPackBytes: 1024 * 1024 },
    });
    const late: { fork?: Fork } = {};
    const hosting = await openTestRepositories({
      transfer: { ...transfer, fork: (...args) => (late.fork ? late.fork(...args) : transfer.fork(...args)) },
    });
    const { repositories, directory, logged } = hosting;
    const { repository } = await repositories.create("events", { name: "old" });
    const original = repositories.directoryOf(repository);
    const tree = await workshop.runner.run({ args: ["mktree"], directory: original, input: "" });
    const commit = await workshop.runner.run({
      args: ["commit-tree", "-m", "one", tree.toString().trim()],
      directory: original,
      env: {
        ...{ GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@localhost" },
        ...{ GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@localhost" },
      },
    });
    await workshop.runner.run({
      args: ["update-ref", "refs/heads/main", commit.toString().trim()],
      directory: original,
    });
    late.fork = meddle((...args) => transfer.fork(...args), repositories);
    const outcome = await repositories
      .fork("events", "old", { name: "new" })
      .catch((error: unknown) => error);
    const { gitFolder, stagingFolder } = repositoryLayout(directory);
    // A deletion resolves before its folder is removed.
    await vi.waitUntil(async () => (await readdir(stagingFolder)).length === 0, { timeout: 10_000 });
    const folders = [await readdir(gitFolder), await readdir(stagingFolder)];
    return { outcome, folders, logged, forked: await repositories.find("events", "new") };
  }

  const failed = {
    outcome: expect.objectContaining({
      code: "NOT_FOUND",
      message: "The repository was deleted while it was being copied.",
    }) as unknown,
    folders: [[], []],
    logged: [],
    forked: undefined,
  };

  test("fails with a message and leaves nothing if the deletion precedes the copy", async () => {
    const outcome = await forkWhile((fork, repositories) => async (...args) => {
      await repositories.delete("events", "old");
      return fork(...args);
    });
    expect(outcome).toEqual(failed);
  });

  test("fails the same way if the deletion happens while Git copies", async () => {
    const outcome = await forkWhile((fork, repositories) => async (...args) => {
      const [transferred] = await Promise.all([fork(...args), repositories.delete("events", "old")]);
      return transferred;
    });
    expect(outcome).toEqual(failed);
  });

  test("fails the same way if the deletion happens last, even if its name is reused", async () => {
    const outcome = await forkWhile((fork, repositories) => async (...args) => {
      const transferred = await fork(...args);
      await repositories.delete("events", "old");
      return transferred;
    });
    expect(outcome).toEqual(failed);
    const replaced = await forkWhile((fork, repositories) => async (...args) => {
      const transferred = await fork(...args);
      await repositories.delete("events", "old");
      await repositories.create("events", { name: "old" });
      return transferred;
    });
    expect(replaced).toMatchObject({ outcome: failed.outcome, forked: undefined });
  });
});
