// The steps of a briefing travel in the pack, and an import takes them unless somebody has changed them here.
import { join } from "node:path";
import { expect, test } from "vitest";
import { stepOf, stepsOf } from "../../../shared/views/support/example-steps.ts";
import { temporaryDirectory } from "../../catalog/support/drafts.ts";
import { exportEvent } from "./export-event.ts";
import { importPack } from "./import-pack.ts";
import { createObjectReader } from "../git/object-reader.ts";
import { encodeTree, fileMode } from "../git/object-formats.ts";
import { mainRef, readRef } from "../git/refs.ts";
import { eventPackLimits } from "./event-pack-limits.ts";
import { hadSteps } from "./pack-steps.ts";
import { forgeWith, readSoundFiles } from "./support/forged-pack.ts";
import { openDesk, publish, type TestDesk } from "./support/sample-event.ts";
import type { PackOutcome } from "./sharing-types.ts";

async function save({ catalog }: TestDesk, ...ids: readonly string[]): Promise<void> {
  const document = JSON.stringify(stepsOf("plains", ...ids));
  const basedOn = (await catalog.findSteps("plains"))?.version ?? 0;
  await catalog.saveSteps({ eventId: "plains", document, basedOn });
}

async function idsOf({ catalog }: TestDesk): Promise<readonly string[] | undefined> {
  const record = await catalog.findSteps("plains");
  return record && (JSON.parse(record.document) as ReturnType<typeof stepsOf>).steps.map(({ id }) => id);
}

/** Opens a desktop with an event, one that imports from it, and the repository between them. */
async function openTwo() {
  const [desk, other] = [await openDesk(), await openDesk()];
  for (const shade of [1, 2]) await publish(desk, { shade });
  const gitdir = join(await temporaryDirectory(), "plains.git");
  return {
    ...{ desk, other, gitdir },
    exportAgain: () => exportEvent({ ...desk, directory: gitdir, eventId: "plains" }),
    carry: async (): Promise<PackOutcome> => {
      await exportEvent({ ...desk, directory: gitdir, eventId: "plains" });
      return importPack({ ...other, gitdir });
    },
  };
}

test("a pack holds the saved steps with their notes, and the other desktop has the same", async () => {
  const { desk, other, carry, exportAgain } = await openTwo();
  const steps = {
    ...stepsOf("plains"),
    steps: [stepOf("a", { title: "“Hail” ☃", notes: "Slowly.\nThen stop." })],
  };
  await desk.catalog.saveSteps({ eventId: "plains", document: JSON.stringify(steps), basedOn: 0 });
  expect(await carry()).toMatchObject({ status: "complete", steps: "taken" });
  expect((await other.catalog.findSteps("plains"))?.document).toBe(JSON.stringify(steps));
  const files = await readSoundFiles(desk);
  expect(Buffer.from(files.get("steps.json")!.bytes).toString("utf8")).toBe(`${JSON.stringify(steps)}\n`);
  expect((await exportAgain()).status).toBe("up to date");
  expect(await carry()).not.toHaveProperty("steps");
});

test("without steps a pack has the ids of before, also after all were deleted again", async () => {
  const { desk, exportAgain } = await openTwo();
  const { commit } = await exportAgain();
  expect([...(await readSoundFiles(desk)).keys()]).not.toContain("steps.json");
  await save(desk, "a");
  await save(desk);
  expect(await exportAgain()).toMatchObject({ commit, status: "up to date" });
});

test("an imported event with steps is exported with the same ids", async () => {
  const { desk, other, carry } = await openTwo();
  await save(desk, "a", "b");
  const { commit } = await carry();
  other.clock.nowMs += 60_000;
  const directory = join(await temporaryDirectory(), "again.git");
  expect(await exportEvent({ ...other, directory, eventId: "plains" })).toMatchObject({ commit });
});

test("newer steps replace those that came from the pack, also when they are deleted or with new revisions", async () => {
  const { desk, other, carry } = await openTwo();
  await save(desk, "a");
  await carry();
  await save(desk, "a", "b");
  expect(await carry()).toMatchObject({ status: "complete", steps: "taken" });
  await publish(desk, { shade: 5 });
  await save(desk, "c");
  await save(desk, "d");
  expect(await carry()).toMatchObject({ steps: "taken" });
  expect(await idsOf(other)).toEqual(["d"]);
  await save(desk);
  expect(await carry()).toMatchObject({ steps: "taken" });
  expect(await idsOf(other)).toEqual([]);
});

test("steps that somebody has changed here are kept, and the import says so", async () => {
  const { desk, other, carry } = await openTwo();
  await save(desk, "a");
  await carry();
  await save(other, "a", "mine");
  expect(await carry()).toMatchObject({ status: "up to date", steps: "kept" });
  await publish(desk, { shade: 5 });
  await save(desk, "a", "b");
  expect(await carry()).toMatchObject({ status: "complete", steps: "kept" });
  expect(await idsOf(other)).toEqual(["a", "mine"]);
  expect((await other.catalog.findEvent("plains"))?.latestSequence).toBe(3);
});

test("an older pack does not take newer steps back", async () => {
  const { desk, other, carry, gitdir } = await openTwo();
  await save(desk, "a");
  const old = join(await temporaryDirectory(), "old.git");
  await exportEvent({ ...desk, directory: old, eventId: "plains" });
  await save(desk, "b");
  await carry();
  expect(await importPack({ ...other, gitdir: old })).toMatchObject({ steps: "kept" });
  expect(await idsOf(other)).toEqual(["b"]);
  expect(await importPack({ ...other, gitdir })).toMatchObject({ status: "up to date" });
});

test("a wide folder of an earlier commit is not read", async () => {
  const gitdir = await forgeWith(async (writer) => {
    const oid = await writer.write("blob", Buffer.from("x"));
    const names = Array.from({ length: 1_000 }, (_, at) => `file-${String(at).padStart(4, "0")}`);
    return writer.write("tree", encodeTree(names.map((name) => ({ mode: fileMode, name, oid }))));
  });
  const reader = createObjectReader(gitdir);
  const commit = (await readRef(gitdir, mainRef))!;
  await expect(hadSteps(reader, commit, "{}", eventPackLimits)).rejects.toThrow("larger than the limit");
  await reader.close();
});
