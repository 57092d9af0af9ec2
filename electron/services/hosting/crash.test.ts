// Crashes at every step of creating and deleting a repository, and the next start.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryLayout } from "./repository-folders.ts";
import type { LifecycleStep } from "./hosting-store.ts";
import { openTestRepositories, temporaryDirectory } from "./support/open-repositories.ts";

/** Copies the directory at `step`, as a killed host would leave it, and opens the copy. */
async function crashAt(step: LifecycleStep, deletes: boolean) {
  const directory = await temporaryDirectory();
  const killed = join(await temporaryDirectory(), "killed");
  const armed = { is: false };
  const { repositories } = await openTestRepositories({
    directory,
    atStep: (reached) => {
      if (!armed.is || reached !== step || existsSync(killed)) return;
      cpSync(directory, killed, { recursive: true });
    },
  });
  const { repository } = await repositories.create("events", { name: "old" });
  armed.is = true;
  await (deletes ? repositories.delete("events", "old") : repositories.create("events", { name: "new" }));
  expect(existsSync(killed)).toBe(true);
  const { repositories: after, logged } = await openTestRepositories({ directory: killed });
  const { gitFolder, stagingFolder } = repositoryLayout(killed);
  return { after, logged, old: `${repository.id}.git`, gitFolder, stagingFolder };
}

test.each(["row written", "filled", "synced", "moved in"] as const)(
  "a creation that crashes at %j leaves nothing, and its name is free",
  async (step) => {
    const { after, logged, old, gitFolder, stagingFolder } = await crashAt(step, false);
    expect(await after.find("events", "new")).toBeUndefined();
    expect(readdirSync(gitFolder)).toEqual([old]);
    expect(readdirSync(stagingFolder)).toEqual([]);
    expect((await after.find("events", "old"))?.status).toBe("ready");
    await after.create("events", { name: "new" });
    expect(logged).toEqual([]);
  },
);

test.each(["row removed", "moved out", "folder removed"] as const)(
  "a deletion that crashes at %j is completed by the next start",
  async (step) => {
    const { after, logged, gitFolder, stagingFolder } = await crashAt(step, true);
    expect(await after.find("events", "old")).toBeUndefined();
    expect([...readdirSync(gitFolder), ...readdirSync(stagingFolder)]).toEqual([]);
    await after.create("events", { name: "old" });
    expect(logged).toEqual([]);
  },
);

test("folders that a crash cannot explain are logged and left alone", async () => {
  const { directory, repositories } = await openTestRepositories();
  const { repository } = await repositories.create("events", { name: "ev" });
  await repositories.close();
  const { gitFolder, stagingFolder } = repositoryLayout(directory);
  mkdirSync(join(gitFolder, "0123456789abcdef.git"));
  rmSync(join(gitFolder, `${repository.id}.git`), { recursive: true });
  writeFileSync(join(stagingFolder, "left"), "");
  const { logged } = await openTestRepositories({ directory });
  expect(logged).toEqual([
    "error: The folder of a repository is missing",
    "warn: A folder belongs to no repository",
  ]);
  expect(readdirSync(gitFolder)).toEqual(["0123456789abcdef.git"]);
  expect(readdirSync(stagingFolder)).toEqual([]);
});

test("a folder that cannot be removed is removed by the next start", async () => {
  const { directory, repositories, logged } = await openTestRepositories({
    atStep: (step) => {
      if (step === "moved out") throw new Error("EBUSY");
    },
  });
  await repositories.create("events", { name: "ev" });
  expect(await repositories.delete("events", "ev")).toBeDefined();
  expect(logged).toEqual([
    "warn: The folder of a deleted repository still exists; the next start removes it",
  ]);
  await repositories.close();
  const { stagingFolder } = repositoryLayout(directory);
  expect(readdirSync(stagingFolder)).toHaveLength(1);
  await openTestRepositories({ directory });
  expect(readdirSync(stagingFolder)).toEqual([]);
});
