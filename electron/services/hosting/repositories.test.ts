// Creating, finding and deleting repositories, with a scripted transfer.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ArtifactsError } from "./artifacts-error.ts";
import { repositoryLayout } from "./repository-folders.ts";
import { easyTransfer, openTestRepositories, startMs } from "./support/open-repositories.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;
const aborted = async (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => {
      reject(signal.reason as Error);
    });
  });

function foldersIn(directory: string): readonly string[] {
  const { gitFolder, stagingFolder } = repositoryLayout(directory);
  return [...readdirSync(gitFolder), ...readdirSync(stagingFolder)];
}

describe("creating", () => {
  test("returns the record and a write token for a day, and writes a bare repository", async () => {
    const { repositories } = await openTestRepositories();
    const { repository, token } = await repositories.create("events", { name: "ev-a" });
    expect(repository).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{16}$/) as string,
      namespace: "events",
      name: "ev-a",
      description: null,
      defaultBranch: "main",
      createdAt: "2026-11-20T12:00:00.000Z",
      updatedAt: "2026-11-20T12:00:00.000Z",
      lastPushAt: null,
      source: null,
      readOnly: false,
      status: "ready",
    });
    expect(token).toMatchObject({ scope: "write", expiresAt: "2026-11-21T12:00:00.000Z" });
    expect(token.plaintext).toMatch(/^art_v1_[0-9a-f]{40}\?expires=\d+$/);
    expect(Number(token.plaintext.split("=")[1])).toBe(startMs / 1000 + 86_400);
    const directory = repositories.directoryOf(repository);
    expect(readFileSync(join(directory, "HEAD"), "utf8")).toBe("ref: refs/heads/main\n");
    expect(existsSync(join(directory, "hooks"))).toBe(false);
    expect(await repositories.find("EVENTS", "EV-A")).toEqual(repository);
  });

  test.skipIf(!hasGit)("writes an empty repository that Git considers valid (needs Git)", async () => {
    const { repositories } = await openTestRepositories();
    const { repository } = await repositories.create("events", { name: "ev", defaultBranch: "trunk/a" });
    const git = (...args: string[]) =>
      spawnSync("git", [`--git-dir=${repositories.directoryOf(repository)}`, ...args], { encoding: "utf8" });
    expect(git("symbolic-ref", "HEAD").stdout).toBe("refs/heads/trunk/a\n");
    expect(git("rev-parse", "--is-bare-repository").stdout).toBe("true\n");
    expect(git("fsck").status).toBe(0);
  });

  test("refuses a name that exists in any case, and leaves that repository unchanged", async () => {
    const { directory, repositories } = await openTestRepositories();
    const { repository } = await repositories.create("events", { name: "ev-a" });
    await expect(repositories.create("Events", { name: "EV-A" })).rejects.toMatchObject({
      code: "ALREADY_EXISTS",
      numericCode: 10_201,
    });
    expect(foldersIn(directory)).toEqual([`${repository.id}.git`]);
    await repositories.create("other", { name: "ev-a" });
  });

  test.each([
    [{ name: "con" }, "INVALID_REPO_NAME"],
    [{ name: "a", defaultBranch: "a..b" }, "INVALID_INPUT"],
    [{ name: "a", defaultBranch: "" }, "INVALID_INPUT"],
    [{ name: "a", description: "x".repeat(1001) }, "INVALID_INPUT"],
    [{ name: "a", description: "red \u001b[31m" }, "INVALID_INPUT"],
  ])("refuses %j and writes nothing", async (draft, code) => {
    const { directory, repositories } = await openTestRepositories();
    await expect(repositories.create("events", draft)).rejects.toMatchObject({ code });
    expect(foldersIn(directory)).toEqual([]);
    expect(await repositories.findNamespace("events")).toBeUndefined();
  });

  test("undoes everything if a step fails", async () => {
    const { directory, repositories } = await openTestRepositories({
      atStep: (step) => {
        if (step === "moved in") throw new Error("The disk is full.");
      },
    });
    await expect(repositories.create("events", { name: "ev" })).rejects.toThrow("The disk is full.");
    expect(await repositories.find("events", "ev")).toBeUndefined();
    expect(await repositories.listNamespaces()).toEqual([]);
    expect(foldersIn(directory)).toEqual([]);
  });
});

describe("deleting", () => {
  test("removes row, tokens and folder, and the name can be reused with another id", async () => {
    const { directory, repositories } = await openTestRepositories();
    const { repository, token } = await repositories.create("events", { name: "ev" });
    expect(await repositories.delete("events", "EV")).toBe(repository.id);
    expect(await repositories.delete("events", "ev")).toBeUndefined();
    expect(foldersIn(directory)).toEqual([]);
    const again = await repositories.create("events", { name: "ev" });
    expect(again.repository.id).not.toBe(repository.id);
    expect(await repositories.authorizeGit("events", "ev", token.plaintext)).toBeUndefined();
    expect((await repositories.listAudit("events", "ev", 9)).map(({ kind }) => kind)).toEqual([
      "created",
      "deleted",
      "created",
    ]);
  });

  test("aborts a running import, which leaves nothing", async () => {
    const started = Promise.withResolvers<undefined>();
    const { directory, repositories } = await openTestRepositories({
      transfer: {
        ...easyTransfer,
        import: async (_draft, _target, signal) => {
          started.resolve(undefined);
          return aborted(signal);
        },
      },
    });
    const importing = repositories.import("events", "ev", { url: "https://host.example/a.git" });
    await started.promise;
    expect((await repositories.find("events", "ev"))?.status).toBe("importing");
    for (const refused of [
      repositories.createToken("events", "ev", { scope: "read" }),
      repositories.listTokens("events", "ev", { state: "all", perPage: 1, page: 1 }),
      repositories.fork("events", "ev", { name: "copy" }),
    ]) {
      await expect(refused).rejects.toMatchObject({ code: "IMPORT_IN_PROGRESS" });
    }
    expect(await repositories.delete("events", "ev")).toBeDefined();
    await expect(importing).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(foldersIn(directory)).toEqual([]);
  });
});

describe("forks and imports", () => {
  test("store what the transfer found, and no secret of the address", async () => {
    const seen: unknown[] = [];
    const { repositories } = await openTestRepositories({
      transfer: {
        fork: (source, _target, draft) => {
          seen.push(source, draft);
          return Promise.resolve({ objects: 3, defaultBranch: "trunk" });
        },
        import: () => Promise.resolve({ objects: 1, defaultBranch: "dev" }),
      },
    });
    const { repository: first } = await repositories.create("events", { name: "ev-a" });
    const forked = await repositories.fork("events", "EV-A", { name: "ev-f", readOnly: true });
    expect(forked).toMatchObject({
      objects: 3,
      repository: {
        source: "artifacts:events/ev-a",
        defaultBranch: "trunk",
        readOnly: true,
        status: "ready",
      },
    });
    expect(seen).toEqual([repositories.directoryOf(first), { defaultBranchOnly: true }]);
    const head = readFileSync(join(repositories.directoryOf(forked.repository), "HEAD"), "utf8");
    expect(head).toBe("ref: refs/heads/trunk\n");
    const url = "https://user:secret@host.example/a.git?key=secret#secret";
    const { repository } = await repositories.import("events", "ev-i", { url });
    expect(repository).toMatchObject({ source: "git:https://host.example/a.git", defaultBranch: "dev" });
    expect((await repositories.listAudit("events", "ev-i", 9))[0]).toMatchObject({ kind: "imported" });
  });

  test.each([
    [{ url: "-x" }, "INVALID_URL"],
    [{ url: "https://host.example/a.git", branch: "-x" }, "INVALID_INPUT"],
    [{ url: "https://host.example/a.git", depth: 0 }, "INVALID_INPUT"],
    [{ url: "https://host.example/a.git", depth: 1.5 }, "INVALID_INPUT"],
  ])("an import of %j is refused", async (draft, code) => {
    const { repositories } = await openTestRepositories();
    await expect(repositories.import("events", "ev", draft)).rejects.toMatchObject({ code });
    expect(await repositories.find("events", "ev")).toBeUndefined();
  });

  test("leave nothing if they fail or their caller disconnects", async () => {
    const failure = new ArtifactsError("REMOTE_AUTH_REQUIRED", "The other service wants a token.");
    const { directory, repositories } = await openTestRepositories({
      transfer: {
        fork: async (_from, _to, _draft, signal) => aborted(signal),
        import: () => Promise.reject(failure),
      },
    });
    const { repository } = await repositories.create("events", { name: "ev" });
    const caller = new AbortController();
    const forking = repositories.fork("events", "ev", { name: "copy" }, caller.signal);
    caller.abort(new Error("gone"));
    await expect(forking).rejects.toThrow("gone");
    await expect(repositories.import("new", "ev", { url: "https://host.example/a" })).rejects.toBe(failure);
    expect(foldersIn(directory)).toEqual([`${repository.id}.git`]);
    expect((await repositories.listNamespaces()).map(({ namespace }) => namespace)).toEqual(["events"]);
  });

  test("are aborted by closing, which waits for them", async () => {
    const { directory, repositories } = await openTestRepositories({
      transfer: { ...easyTransfer, fork: async (_from, _to, _draft, signal) => aborted(signal) },
    });
    const { repository } = await repositories.create("events", { name: "ev" });
    const forking = repositories.fork("events", "ev", { name: "copy" });
    const outcome = expect(forking).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    await repositories.close();
    await outcome;
    expect(foldersIn(directory)).toEqual([`${repository.id}.git`]);
    const reopened = await openTestRepositories({ directory });
    expect(await reopened.repositories.find("events", "copy")).toBeUndefined();
  });
});
