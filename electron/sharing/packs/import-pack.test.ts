// A pack on another desktop: equal manifests, ETags and frames, byte for byte; new revisions are added, interrupted
// imports are completed, and other data stays unchanged.
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../catalog/support/drafts.ts";
import { verifyDirectory } from "../../catalog/verify/verify-directory.ts";
import { exportEvent } from "./export-event.ts";
import type { PackOutcome } from "./sharing-types.ts";
import { importPack } from "./import-pack.ts";
import { readRef } from "../git/refs.ts";
import { findRepository } from "../git/repository.ts";
import { git, hasGit, openDesk, publish, type TestDesk } from "./support/sample-event.ts";

interface Shared {
  readonly gitdir: string;
  readonly exportAgain: () => Promise<PackOutcome>;
}

async function share(desk: TestDesk): Promise<Shared> {
  const gitdir = join(await temporaryDirectory(), "plains.git");
  const exportAgain = (): Promise<PackOutcome> =>
    exportEvent({ ...desk, directory: gitdir, eventId: "plains" });
  await exportAgain();
  return { gitdir, exportAgain };
}

/** Reads everything that a client of the storm service sees of an event's revisions, and their sources. */
async function contentOf({ catalog, frames }: TestDesk): Promise<unknown> {
  const revisions = await catalog.listRevisions("plains", 360);
  return Promise.all(
    revisions.map(async (revision) => {
      const layers = await catalog.listLayers("plains", revision.revisionId);
      const pictures = await Promise.all(layers.map(({ frameId }) => frames.read(frameId)));
      return { ...revision, manifest: Buffer.from(revision.manifest).toString(), layers, pictures };
    }),
  );
}

async function findFaults({ directory }: TestDesk): Promise<unknown> {
  const { findings } = await verifyDirectory(directory);
  return findings.filter(({ severity }) => severity === "fault");
}

test("another desktop has the same manifests, hashes, sources and frames", async () => {
  const desk = await openDesk();
  for (const shade of [1, 2]) await publish(desk, { shade });
  await publish(desk, { shade: 3, productId: "mrms-reflectivity", seconds: 240 });
  await desk.catalog.completeEvent("plains", { registered: true });
  const { gitdir } = await share(desk);
  const other = await openDesk();
  const root = await readRef(gitdir, "refs/tags/rev/1");
  const commit = await readRef(gitdir, "refs/heads/main");
  expect(await importPack({ ...other, gitdir })).toEqual({ event: "plains", commit, status: "complete" });
  expect(await contentOf(other)).toEqual(await contentOf(desk));
  const { mirrorOf, ...row } = (await other.catalog.findEvent("plains"))!;
  expect({ ...row, mirrorOf: undefined }).toEqual(await desk.catalog.findEvent("plains"));
  expect(mirrorOf).toBe(`pack:${root!}`);
  expect(await findFaults(other)).toEqual([]);
  expect(await importPack({ ...other, gitdir })).toEqual({ event: "plains", commit, status: "up to date" });
});

test("a newer pack extends the event, and an older one removes nothing", async () => {
  const desk = await openDesk();
  await publish(desk, { shade: 1 });
  const { gitdir, exportAgain } = await share(desk);
  const old = await share(desk);
  const other = await openDesk();
  await importPack({ ...other, gitdir });
  for (const shade of [2, 5]) await publish(desk, { shade });
  await exportAgain();
  expect(await importPack({ ...other, gitdir })).toMatchObject({ status: "complete" });
  expect(await contentOf(other)).toEqual(await contentOf(desk));
  await desk.catalog.archiveEvent("plains");
  await exportAgain();
  expect(await importPack({ ...other, gitdir })).toMatchObject({ status: "complete" });
  expect(await other.catalog.findEvent("plains")).toMatchObject({ status: "archived", latestSequence: 3 });
  expect(await importPack({ ...other, gitdir: old.gitdir })).toMatchObject({ status: "up to date" });
  expect(await other.catalog.findEvent("plains")).toMatchObject({ status: "archived", latestSequence: 3 });
});

test("an imported event is exported with the same ids", async () => {
  const desk = await openDesk();
  for (const shade of [1, 2]) await publish(desk, { shade });
  await desk.catalog.completeEvent("plains", { registered: true });
  const { gitdir } = await share(desk);
  const other = await openDesk();
  const { commit } = await importPack({ ...other, gitdir });
  const again = join(await temporaryDirectory(), "again.git");
  expect(await exportEvent({ ...other, directory: again, eventId: "plains" })).toMatchObject({ commit });
  expect(await exportEvent({ ...other, directory: gitdir, eventId: "plains" })).toMatchObject({
    commit,
    status: "up to date",
  });
});

test("another pack with the same event id, and a pack of an event created here, are refused", async () => {
  const desk = await openDesk();
  await publish(desk, { shade: 1 });
  const { gitdir } = await share(desk);
  await expect(importPack({ ...desk, gitdir })).rejects.toMatchObject({
    code: "conflict",
    detail:
      "The event plains was created on this computer, so this pack cannot be imported here; use another data directory.",
  });
  const stranger = await openDesk();
  stranger.clock.nowMs += 5000;
  await publish(stranger, { shade: 1 });
  const strange = await share(stranger);
  const other = await openDesk();
  await importPack({ ...other, gitdir });
  const before = await contentOf(other);
  await expect(importPack({ ...other, gitdir: strange.gitdir })).rejects.toMatchObject({
    code: "conflict",
    detail: expect.stringContaining("a pack of another history") as string,
  });
  expect(await contentOf(other)).toEqual(before);
});

test("an aborted import changes nothing, and the next one completes it", async () => {
  const desk = await openDesk();
  for (let shade = 1; shade <= 9; shade += 1) await publish(desk, { shade });
  const { gitdir } = await share(desk);
  const other = await openDesk();
  for (const stopAt of [1, 9, 12, 17]) {
    const controller = new AbortController();
    const onProgress = (done: number): void => {
      if (done === stopAt) controller.abort();
    };
    await expect(importPack({ ...other, gitdir, signal: controller.signal, onProgress })).rejects.toThrow(
      "aborted",
    );
    expect(await other.catalog.listEvents(9)).toEqual([]);
  }
  expect(await importPack({ ...other, gitdir })).toMatchObject({ status: "complete" });
  expect(await contentOf(other)).toEqual(await contentOf(desk));
});

test("an empty repository and a folder without one give different errors", async () => {
  const root = await temporaryDirectory();
  expect(() => findRepository(root)).toThrow("no Git repository");
  expect(() => findRepository(join(root, "nowhere"))).toThrow("no Git repository");
});

test.skipIf(!hasGit)("a clone by stock Git is imported from its .git folder", async () => {
  const desk = await openDesk();
  for (let shade = 1; shade <= 30; shade += 1) await publish(desk, { shade });
  const { gitdir } = await share(desk);
  const root = await temporaryDirectory();
  await git(root, "clone", "-q", "--no-local", gitdir, "clone");
  await git(join(root, "clone"), "repack", "-q", "-a", "-d", "-f", "--depth=50", "--window=50");
  await git(join(root, "clone"), "pack-refs", "--all");
  const other = await openDesk();
  await importPack({ ...other, gitdir: findRepository(join(root, "clone")) });
  expect(await contentOf(other)).toEqual(await contentOf(desk));
  await git(root, "clone", "-q", "--no-local", "--depth=1", gitdir, "shallow");
  await expect(
    importPack({ ...(await openDesk()), gitdir: findRepository(join(root, "shallow")) }),
  ).rejects.toMatchObject({
    code: "source-invalid",
    detail: expect.stringContaining("first commit") as string,
  });
});
