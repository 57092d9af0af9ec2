// Overlays travel in the pack with their hashes, and an import takes them unless somebody has fetched others here.
import { join } from "node:path";
import { expect, test } from "vitest";
import { overlayDraftOf, temporaryDirectory } from "../../catalog/support/drafts.ts";
import { changeCatalog } from "../../catalog/support/sample-directory.ts";
import { exportEvent } from "./export-event.ts";
import { importPack } from "./import-pack.ts";
import { changeJson, forge, readSoundFiles, type ForgedFiles } from "./support/forged-pack.ts";
import { openDesk, publish, type TestDesk } from "./support/sample-event.ts";
import type { PackOutcome } from "./sharing-types.ts";

async function keep({ catalog }: TestDesk, name: string, text: string): Promise<void> {
  await catalog.keepOverlay(overlayDraftOf("plains", { name, text }));
}

async function textsOf({ catalog }: TestDesk): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const { name, sha256 } of await catalog.listKeptOverlays("plains")) {
    texts[name] = Buffer.from((await catalog.readKeptOverlay("plains", sha256))!).toString("utf8");
  }
  return texts;
}

/** Opens a desktop with an event, one that imports from it, and the repository between them. */
async function openTwo() {
  const [desk, other] = [await openDesk(), await openDesk()];
  await publish(desk, { shade: 1 });
  const gitdir = join(await temporaryDirectory(), "plains.git");
  const exportAgain = () => exportEvent({ ...desk, directory: gitdir, eventId: "plains" });
  const carry = async (): Promise<PackOutcome> => {
    await exportAgain();
    return importPack({ ...other, gitdir });
  };
  return { desk, other, exportAgain, carry };
}

test("a pack holds the bytes and what is known about them, and gives the same ids on the other desktop", async () => {
  const { desk, other, carry, exportAgain } = await openTwo();
  const { commit: without } = await exportAgain();
  await keep(desk, "reports", "r");
  await keep(desk, "warnings", "w");
  const outcome = await carry();
  expect(outcome).toMatchObject({ status: "complete", overlays: "taken" });
  expect(outcome.commit).not.toBe(without);
  expect(await other.catalog.listKeptOverlays("plains")).toEqual(
    await desk.catalog.listKeptOverlays("plains"),
  );
  expect(await textsOf(other)).toEqual({ reports: "r", warnings: "w" });
  expect((await exportAgain()).status).toBe("up to date");
  const directory = join(await temporaryDirectory(), "again.git");
  expect(await exportEvent({ ...other, directory, eventId: "plains" })).toMatchObject({
    commit: outcome.commit,
  });
});

test("a pack is not made of an overlay that is damaged", async () => {
  const { desk, exportAgain } = await openTwo();
  await keep(desk, "reports", "r");
  changeCatalog(desk.directory, "UPDATE kept_overlays SET content = x'00'");
  await expect(exportAgain()).rejects.toMatchObject({ code: "stored-data-invalid" });
});

test("an import replaces what came from the pack, and keeps what somebody has fetched here", async () => {
  const { desk, other, carry } = await openTwo();
  await keep(desk, "reports", "r1");
  await keep(desk, "warnings", "w1");
  await carry();
  await keep(desk, "reports", "r2");
  expect(await carry()).toMatchObject({ status: "complete", overlays: "taken" });
  await keep(other, "warnings", "mine");
  await keep(desk, "warnings", "w2");
  expect(await carry()).toMatchObject({ status: "up to date", overlays: "kept" });
  expect(await textsOf(other)).toEqual({ reports: "r2", warnings: "mine" });
});

test.each([
  ["other bytes", (files: ForgedFiles) => files.set("overlays/reports", { bytes: Buffer.from("x") })],
  [
    "a file that nothing names",
    (files: ForgedFiles) => files.set("overlays/more", { bytes: Buffer.from("x") }),
  ],
  ["no facts", (files: ForgedFiles) => files.delete("overlays.json")],
  ["a missing file", (files: ForgedFiles) => files.delete("overlays/reports")],
  ["a path as a name", (files: ForgedFiles) => files.set("overlays/..x", { bytes: Buffer.from("x") })],
  [
    "a name twice",
    (files: ForgedFiles) => {
      changeJson(files, "overlays.json", (value: { overlays: unknown[] }) => ({
        ...value,
        overlays: [...value.overlays, ...value.overlays],
      }));
    },
  ],
])("a pack with %s is refused, and nothing is imported", async (_, change) => {
  const { desk, other } = await openTwo();
  await keep(desk, "reports", "r");
  const files = await readSoundFiles(desk);
  change(files);
  const gitdir = await forge(files);
  await expect(importPack({ ...other, gitdir })).rejects.toMatchObject({ code: "source-invalid" });
  expect(await other.catalog.findEvent("plains")).toBeUndefined();
});
