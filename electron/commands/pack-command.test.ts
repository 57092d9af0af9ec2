import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryDirectory } from "../catalog/support/drafts.ts";
import { createSystemEffects } from "../platform/effects.ts";
import { git, hasGit, makeRepository, startGitService } from "../sharing/packs/support/git-service.ts";
import { openDesk, publish } from "../sharing/packs/support/sample-event.ts";
import { UsageError } from "./option-values.ts";
import { parseCommandLine } from "./echotop.ts";

const token = "art_v1_0123?expires=1800000000";
let lines: string[] = [];

beforeEach(() => {
  lines = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => lines.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

async function run(...args: string[]): Promise<number> {
  const effects = {
    ...createSystemEffects(),
    showProgress: () => ({ update: () => undefined, end: () => undefined }),
  };
  return parseCommandLine(["pack", ...args])({ effects, signal: new AbortController().signal });
}

describe.skipIf(!hasGit)("pack push and pack fetch", () => {
  test("carry an event from one directory to another, and report if nothing is new", async () => {
    const root = await temporaryDirectory();
    const there = join(root, "plains.git");
    makeRepository(there);
    const service = await startGitService({ root, token });
    onTestFinished(() => service.close());
    const url = `${service.origin}/plains.git`;
    const desk = await openDesk();
    await publish(desk, { shade: 1 });
    await publish(desk, { shade: 2 });
    const tokenFile = join(root, "token");
    await writeFile(tokenFile, `${token}\n`);

    const push = ["push", "plains", "--data", desk.directory, "--remote", url, "--token-file", tokenFile];
    expect(await run(...push)).toBe(0);
    expect(await run(...push)).toBe(0);
    const commit = git(there, ["rev-parse", "main"]);
    const guest = await temporaryDirectory();
    vi.stubEnv("ECHOTOP_REPO_TOKEN", token);
    expect(await run("fetch", url, "--data", guest)).toBe(0);
    expect(await run("fetch", url, "--data", guest)).toBe(0);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      ["complete", "up to date", "complete", "up to date"].map((status) => ({
        event: "plains",
        commit,
        status,
      })),
    );
    vi.stubEnv("ECHOTOP_REPO_TOKEN", "art_v1_4567");
    await expect(run("fetch", url, "--data", guest)).rejects.toThrow(/refuses the token/);
    vi.stubEnv("ECHOTOP_REPO_TOKEN", undefined);
    await expect(run("fetch", url, "--data", guest)).rejects.toThrow(
      /--token-file FILE or set ECHOTOP_REPO_TOKEN/,
    );
  });
});

test.each([
  [["fetch"], /Missing required argument 'address'/],
  [["fetch", "https://a.example/x.git", "more"], /Too many arguments/],
  [["fetch", "https://x:art_v1_0@a.example/x.git"], /give the token in a file or in ECHOTOP_REPO_TOKEN/],
  [["fetch", "http://a.example/x.git"], /Plain HTTP/],
  [["fetch", "https://a.example/x.git", "--token", "t"], /--token/],
  [
    ["fetch", "https://a.example/x.git", "--token-file", "/nonexistent/token"],
    /cannot be read: there is no such file/,
  ],
  [["push", "plains"], /--remote <url>/],
  [["push", "--remote", "https://a.example/x.git"], /Missing required argument 'event'/],
])("%j is an invalid command line", async (args, sentence) => {
  const failure: unknown = await run(...args).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UsageError);
  expect(String(failure)).toMatch(sentence);
});
