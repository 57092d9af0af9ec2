// Real bare repositories for tests, filled by Git's plumbing commands: no work tree, and any tree or commit that Git
// accepts.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGitRunner, type GitRunner } from "../git/git-runner.ts";
import { findGit } from "../git/find-git.ts";

const { platform, env: environment } = process;

export const gitAvailability = await findGit({ configured: "auto", environment, platform });
export const gitMissing = "missing" in gitAvailability;

export interface Workshop {
  readonly folder: string;
  readonly runner: GitRunner;
  createRepository(name: string, defaultBranch?: string): Promise<SampleRepository>;
  close(): Promise<void>;
}

export interface SampleRepository {
  readonly directory: string;
  git(args: readonly string[], input?: string | Uint8Array): Promise<string>;
  /** Writes files by path, with their folders. Returns the tree's hash. */
  writeTree(files: Readonly<Record<string, string | Uint8Array>>): Promise<string>;
  /** Commits on top of the ref, or as a root. Returns the commit's hash. */
  commit(
    ref: string,
    files: Readonly<Record<string, string | Uint8Array>>,
    message?: string,
  ): Promise<string>;
}

export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), "echotop-objects-"));
  const runner = createGitRunner({
    availability: gitAvailability,
    runningDirectory: join(folder, "running"),
    environment,
    platform,
  });
  return {
    folder,
    runner,
    createRepository: async (name, defaultBranch = "main") => {
      const directory = join(folder, `${name}.git`);
      await runner.run({
        args: ["init", "--bare", "--quiet", "--template=", `--initial-branch=${defaultBranch}`, directory],
      });
      return createSample(runner, directory);
    },
    close: async () => {
      await runner.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const person = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@localhost",
  GIT_AUTHOR_DATE: "1700000000 +0200",
  GIT_COMMITTER_NAME: "Grace",
  GIT_COMMITTER_EMAIL: "grace@localhost",
  GIT_COMMITTER_DATE: "1700000060 +0000",
};

function createSample(runner: GitRunner, directory: string): SampleRepository {
  const git: SampleRepository["git"] = async (args, input) => {
    const output = await runner.run({
      args,
      directory,
      env: person,
      ...(input === undefined ? {} : { input }),
    });
    return output.toString("utf8").trim();
  };
  const writeTree: SampleRepository["writeTree"] = async (files) => {
    const folders = new Map<string, Record<string, string | Uint8Array>>();
    const lines: string[] = [];
    for (const [path, content] of Object.entries(files)) {
      const [first, ...rest] = path.split("/");
      if (rest.length > 0) folders.set(first!, { ...folders.get(first!), [rest.join("/")]: content });
      else lines.push(`100644 blob ${await git(["hash-object", "-w", "--stdin"], content)}\t${path}`);
    }
    for (const [name, inner] of folders) lines.push(`040000 tree ${await writeTree(inner)}\t${name}`);
    return git(["mktree", "-z"], lines.map((line) => `${line}\0`).join(""));
  };
  return {
    directory,
    git,
    writeTree,
    commit: async (ref, files, message = "A commit") => {
      const tree = await writeTree(files);
      const parent = await git(["for-each-ref", "--format=%(objectname)", ref]);
      const hash = await git(["commit-tree", ...(parent === "" ? [] : ["-p", parent]), tree], message);
      await git(["update-ref", "--", ref, hash]);
      return hash;
    },
  };
}
