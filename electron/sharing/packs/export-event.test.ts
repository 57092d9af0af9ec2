// Export of an event as a Git repository: content, reproducible ids, and completion after an interruption.
import { rm, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../catalog/support/drafts.ts";
import { exportEvent } from "./export-event.ts";
import type { PackOutcome } from "./sharing-types.ts";
import { createObjectReader } from "../git/object-reader.ts";
import { parseCommit, parseTree } from "../git/object-formats.ts";
import { readRef } from "../git/refs.ts";
import { git, hasGit, openDesk, publish, type TestDesk } from "./support/sample-event.ts";

async function exportTo(desk: TestDesk, directory: string, signal?: AbortSignal): Promise<PackOutcome> {
  return exportEvent({ ...desk, directory, eventId: "plains", signal });
}

/** Reads path and content of every file of a commit without Git. */
async function readFiles(gitdir: string, commit: string): Promise<Map<string, Buffer>> {
  const reader = createObjectReader(gitdir);
  onTestFinished(() => reader.close());
  const files = new Map<string, Buffer>();
  const visit = async (oid: string, path: string): Promise<void> => {
    for (const { mode, name, oid: child } of parseTree(await reader.read(oid, "tree", 1 << 20))) {
      if (mode === "40000") await visit(child, `${path}${name}/`);
      else files.set(path + name, await reader.read(child, "blob", 1 << 20));
    }
  };
  await visit(parseCommit(await reader.read(commit, "commit", 4096)).tree, "");
  return files;
}

test("an export holds the manifests as published, the frames under their hashes and canonical JSON", async () => {
  const desk = await openDesk();
  for (const shade of [1, 2]) await publish(desk, { shade });
  const gitdir = join(await temporaryDirectory(), "plains.git");
  const outcome = await exportTo(desk, gitdir);
  expect(outcome).toMatchObject({ event: "plains", status: "complete" });
  const files = await readFiles(gitdir, outcome.commit);
  const revisions = await desk.catalog.listRevisions("plains", 10);
  for (const { revisionId, manifest } of revisions) {
    expect(files.get(`revisions/${revisionId}/manifest.json`)).toEqual(Buffer.from(manifest));
    expect(files.get(`sources/${revisionId}.json`)!.toString()).toMatch(
      /^\{\n {2}"schemaVersion": 1,\n[^]*\n\}\n$/,
    );
    for (const { frameId, productId } of await desk.catalog.listLayers("plains", revisionId)) {
      expect(files.get(`frames/${productId}/${frameId}.png`)).toEqual(await desk.frames.read(frameId));
    }
  }
  expect(files.size).toBe(1 + 3 * revisions.length);
  expect(JSON.parse(files.get("pack.json")!.toString())).toMatchObject({
    schemaVersion: 1,
    event: { id: "plains", kind: "historical-event", status: "active", label: "Plains, May 2024" },
    products: ["mrms-mesh"],
    latest: { revisionId: revisions[1]!.revisionId, sequence: 2 },
    revisionCount: 2,
  });
  expect(await readRef(gitdir, "refs/tags/rev/2")).toBe(outcome.commit);
});

test("an export without new revisions is up to date and keeps its commit", async () => {
  const desk = await openDesk();
  await publish(desk, { shade: 1 });
  const gitdir = join(await temporaryDirectory(), "plains.git");
  const { commit } = await exportTo(desk, gitdir);
  expect(await exportTo(desk, gitdir)).toEqual({ event: "plains", commit, status: "up to date" });
});

test("ids are the same for one revision at a time or all at once, in any folder", async () => {
  const desk = await openDesk();
  const root = await temporaryDirectory();
  const commits: string[] = [];
  const steps = [
    { shade: 1 },
    { shade: 2, productId: "mrms-reflectivity", seconds: 120 },
    { shade: 9 },
    { shade: 4, seconds: 240 },
  ] as const;
  for (const step of steps) {
    await publish(desk, step);
    commits.push((await exportTo(desk, join(root, "steps.git"))).commit);
  }
  await desk.catalog.completeEvent("plains", { registered: true });
  const last = await exportTo(desk, join(root, "steps.git"));
  expect(new Set([...commits, last.commit]).size).toBe(5);
  expect(await exportTo(desk, join(root, "once.git"))).toEqual(last);
  for (const [index, commit] of commits.entries()) {
    expect(await readRef(join(root, "once.git"), `refs/tags/rev/${index + 1}`)).toBe(commit);
  }
  const files = await readFiles(join(root, "once.git"), last.commit);
  expect(JSON.parse(files.get("pack.json")!.toString())).toMatchObject({
    event: { status: "complete" },
    products: ["mrms-mesh", "mrms-reflectivity"],
    revisionCount: 4,
  });
  expect(await exportTo(desk, join(root, "once.git"))).toEqual({ ...last, status: "up to date" });
});

test("an export that was interrupted, or lost unreferenced objects, is completed with the same ids", async () => {
  const desk = await openDesk();
  for (let shade = 1; shade <= 60; shade += 1) await publish(desk, { shade });
  const root = await temporaryDirectory();
  const whole = await exportTo(desk, join(root, "whole.git"));
  const gitdir = join(root, "cut.git");
  for (const stopAt of [1, 20, 55]) {
    const controller = new AbortController();
    const onProgress = (done: number): void => {
      if (done === stopAt) controller.abort();
    };
    await expect(
      exportEvent({ ...desk, directory: gitdir, eventId: "plains", signal: controller.signal, onProgress }),
    ).rejects.toThrow("aborted");
  }
  expect(await readRef(gitdir, "refs/heads/main")).toBe(await readRef(gitdir, "refs/tags/rev/50"));
  expect(await exportTo(desk, gitdir)).toEqual(whole);
  await rm(join(gitdir, "refs", "heads", "main"));
  for (const folder of (await readdir(join(gitdir, "objects"))).slice(0, 40)) {
    await rm(join(gitdir, "objects", folder), { recursive: true });
  }
  expect(await exportTo(desk, gitdir)).toEqual(whole);
});

test("two exports into one repository wait for each other", async () => {
  const desk = await openDesk();
  for (const shade of [1, 2, 3]) await publish(desk, { shade });
  const gitdir = join(await temporaryDirectory(), "plains.git");
  const both = await Promise.all([exportTo(desk, gitdir), exportTo(desk, gitdir)]);
  expect(both.map(({ status }) => status).sort()).toEqual(["complete", "up to date"]);
  expect(both[0].commit).toBe(both[1].commit);
});

test("a repository of another history or another program is refused and stays unchanged", async () => {
  const desk = await openDesk();
  const other = await openDesk();
  await publish(desk, { shade: 1 });
  other.clock.nowMs += 1000;
  for (const shade of [1, 2]) await publish(other, { shade });
  const gitdir = join(await temporaryDirectory(), "plains.git");
  const { commit } = await exportTo(desk, gitdir);
  await expect(exportTo(other, gitdir)).rejects.toMatchObject({
    code: "conflict",
    detail: expect.stringContaining("another history") as string,
  });
  expect(await readRef(gitdir, "refs/heads/main")).toBe(commit);
  await expect(exportTo(desk, desk.directory)).rejects.toMatchObject({ code: "conflict" });
});

test("a missing event, and one without revisions, are refused by name", async () => {
  const desk = await openDesk();
  const gitdir = join(await temporaryDirectory(), "plains.git");
  await expect(exportTo(desk, gitdir)).rejects.toMatchObject({ code: "not-found" });
  const window = { startedAt: "2024-05-01T20:00:00Z", endedAt: "2024-05-01T23:00:00Z" };
  await desk.catalog.registerEvent({ id: "plains", label: "Plains", ...window });
  await expect(exportTo(desk, gitdir)).rejects.toMatchObject({ code: "conflict" });
});

test.skipIf(!hasGit)("stock Git verifies an export, clones it, and adds commits to it", async () => {
  const desk = await openDesk();
  for (const shade of [1, 2, 3]) await publish(desk, { shade });
  const root = await temporaryDirectory();
  const gitdir = join(root, "plains.git");
  const { commit } = await exportTo(desk, gitdir);
  expect(await git(gitdir, "fsck", "--strict", "--full")).toBe("");
  await git(root, "clone", "-q", gitdir, "clone");
  expect(await git(join(root, "clone"), "status", "--porcelain")).toBe("");
  expect(await git(join(root, "clone"), "rev-parse", "HEAD")).toBe(commit);
  expect((await git(join(root, "clone"), "tag")).split("\n")).toEqual(["rev/1", "rev/2", "rev/3"]);
  expect(await git(gitdir, "log", "-1", "--format=%an %ae %s %ad", "--date=raw")).toMatch(
    /^Echotop echotop@localhost Revision 3, observed 2024-05-01T20:06:00Z \d+ \+0000$/,
  );
  await git(gitdir, "gc", "-q", "--aggressive", "--prune=now");
  await publish(desk, { shade: 4 });
  const next = await exportTo(desk, gitdir);
  expect(next.status).toBe("complete");
  expect(await exportTo(desk, join(root, "anew.git"))).toEqual(next);
  expect(await git(gitdir, "fsck", "--strict", "--full")).toBe("");
});
