// `echotop copy` as users run it, between data directories: what it prints, and what it refuses.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { publishWindows, useStores } from "../../electron/catalog/copy/support/varied-catalog.ts";
import { atDirectory } from "../../electron/catalog/stores/located-stores.ts";
import { makeTemporaryDirectory, removeDirectory, runCommand } from "../../electron/support/host-process.ts";

const root = makeTemporaryDirectory("copy");
const from = join(root, "from");

beforeAll(() =>
  useStores(atDirectory(from), async (stores) => {
    await publishWindows(stores, "a", { count: 2 });
    await publishWindows(stores, "b", { count: 1 });
  }),
);
afterAll(() => {
  removeDirectory(root);
});

describe("echotop copy", () => {
  test("prints a line for each event and a summary; the same command then finds nothing to do", async () => {
    const to = join(root, "to");
    const none = { revisions: 0, frames: 0, sources: 0, byteLength: 0 };
    const first = await runCommand(["copy", from, to]);
    const byteLength = expect.any(Number) as number;
    expect([first.status, first.lines]).toEqual([
      0,
      [
        { event: "a", status: "copied", revisions: 2, frames: 4, sources: 2, byteLength },
        { event: "b", status: "copied", revisions: 1, frames: 2, sources: 1, byteLength },
        {
          ...{ copied: to, differences: 0, faults: 0, events: 2, revisions: 3, frames: 6, sources: 3 },
          ...{ byteLength, assets: 0, logEntries: 0 },
        },
      ],
    ]);
    const again = await runCommand(["copy", from, to]);
    expect([again.status, again.lines.slice(0, 2)]).toEqual([
      0,
      ["a", "b"].map((event) => ({ event, status: "unchanged", ...none })),
    ]);
    expect((await runCommand(["verify", "--data", to])).lines).toEqual([
      { verified: true, faults: 0, events: 2, revisions: 3, frames: 6, sources: 3 },
    ]);
  });

  test("names what the target has of its own, and writes nothing", async () => {
    const to = join(root, "own");
    await useStores(atDirectory(to), (stores) => publishWindows(stores, "own", { count: 1 }));
    const { status, lines, stderr } = await runCommand(["copy", from, to]);
    expect([status, lines[0], lines[1]]).toEqual([
      1,
      { event: "own", status: "differs", what: "The target has this event, and the source does not." },
      expect.objectContaining({ differences: 1, revisions: 0 }),
    ]);
    expect(stderr).toContain("Nothing was copied: TO is not an earlier copy of FROM.");
  });

  test.each([
    ["the same place twice", [from, `${from}/`], 2, "FROM and TO are the same place"],
    ["a folder inside the other", [from, join(from, "sub")], 2, "One directory is inside the other"],
    ["a source that is not there", [join(root, "none"), join(root, "new")], 1, "no catalog in the directory"],
    ["a file of another configuration", [from, join(root, "plain.json")], 2, "TO names no service"],
    ["a folder of something else", [from, join(root, "foreign")], 1, "has other content and no catalog"],
    ["a directory of a newer version", [from, join(root, "newer")], 1, "written by a newer Echotop"],
  ])("refuses %s in one line, and writes nothing", async (_name, [one, other], expected, line) => {
    writeFileSync(join(root, "plain.json"), "{}");
    mkdirSync(join(root, "foreign"), { recursive: true });
    writeFileSync(join(root, "foreign", "notes.txt"), "Mine.");
    const newer = makeNewerDirectory(join(root, "newer"));
    const before = readdirSync(root).toSorted();
    const { status, lines, stderr } = await runCommand(["copy", one!, other!]);
    expect([status, lines]).toEqual([expected, []]);
    expect(stderr).toMatch(new RegExp(`^echotop: .*${line}.*\n$`));
    expect(readdirSync(root).toSorted()).toEqual(before);
    expect(readdirSync(join(root, "foreign"))).toEqual(["notes.txt"]);
    expect(existsSync(join(from, "sub"))).toBe(false);
    expect(readFileSync(join(root, "newer", "catalog.sqlite"))).toEqual(newer);
  });
});

/** Returns the bytes of its catalog. */
function makeNewerDirectory(directory: string): Buffer {
  const file = join(directory, "catalog.sqlite");
  if (!existsSync(file)) {
    mkdirSync(directory);
    const database = new DatabaseSync(file);
    database.exec("PRAGMA application_id = 0x4563686f; PRAGMA user_version = 99; CREATE TABLE t (a)");
    database.close();
  }
  return readFileSync(file);
}
