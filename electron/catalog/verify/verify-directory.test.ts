// Verification: a valid directory has no findings, each damage is reported with its place, and nothing changes.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createFrameStore } from "../files/file-frame-store.ts";
import { openCatalog } from "../sqlite/open-catalog.ts";
import { layerOf, startMs, temporaryDirectory, type LayerFacts } from "../support/drafts.ts";
import { pictureOf } from "../support/pictures.ts";
import { changeCatalog, frameFileOf } from "../support/sample-directory.ts";
import { verifyDirectory } from "./verify-directory.ts";

interface Sample {
  readonly directory: string;
  /** Frames of event "a", by sequence. */
  readonly frames: readonly string[];
}

/** Two events with five revisions, closed. Created once; each test gets a copy. */
let sample: Sample;

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), "echotop-"));
  const catalog = await openCatalog({ directory, now: () => new Date(startMs) });
  const store = createFrameStore({ directory });
  const frames: string[] = [];
  const publish = async (id: string, shade: number, facts: LayerFacts): Promise<void> => {
    const frameId = await store.put(pictureOf(shade));
    if (id === "a") frames.push(frameId);
    await catalog.publish({ event: { id }, layers: [{ ...layerOf(facts), frameId }], assetIds: [] });
  };
  for (let index = 0; index < 3; index += 1) await publish("a", index, { seconds: index * 120 });
  await publish("b", 0, { productId: "mrms-reflectivity" });
  await publish("b", 9, {});
  await catalog.close();
  sample = { directory, frames };
});
afterAll(() => rm(sample.directory, { recursive: true, force: true }));

async function makeDirectory(): Promise<Sample> {
  const directory = await temporaryDirectory();
  cpSync(sample.directory, directory, { recursive: true });
  return { directory, frames: sample.frames };
}

/** Returns names and bytes of everything below a directory. */
function contentOf(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, readFileSync(path).toString("latin1")] as const;
    }),
  );
}

async function faultsOf(directory: string): Promise<string[]> {
  const { findings } = await verifyDirectory(directory);
  return findings
    .filter(({ severity }) => severity === "fault")
    .map(({ where, what }) => `${where}: ${what}`);
}

describe("a valid directory", () => {
  test("has no findings, is counted completely and stays unchanged", async () => {
    const { directory } = await makeDirectory();
    const before = contentOf(directory);
    const onProgress = vi.fn();
    expect(await verifyDirectory(directory, { onProgress })).toEqual({
      findings: [],
      counts: { events: 2, revisions: 5, frames: 4, sources: 0 },
    });
    expect(onProgress.mock.lastCall).toEqual([11, 11]);
    expect(contentOf(directory)).toEqual(before);
  });

  test("can be in use during its verification", async () => {
    const { directory } = await makeDirectory();
    const catalog = await openCatalog({ directory, now: () => new Date() });
    await catalog.completeEvent("a");
    expect((await verifyDirectory(directory)).findings).toEqual([]);
    await catalog.close();
  });

  test("may contain orphans, leftovers and other files, which are notes", async () => {
    const { directory } = await makeDirectory();
    const orphan = await createFrameStore({ directory }).put(pictureOf(77));
    const damaged = await createFrameStore({ directory }).put(pictureOf(78));
    writeFileSync(frameFileOf(directory, damaged), "damaged");
    writeFileSync(join(directory, "staging", "1-x.png"), "half");
    mkdirSync(join(directory, "frames", "other"));
    mkdirSync(join(directory, "frames", "00"), { recursive: true });
    writeFileSync(join(directory, "frames", "00", "note.txt"), "?");
    const { findings } = await verifyDirectory(directory);
    expect(findings.every(({ severity }) => severity === "note")).toBe(true);
    expect(findings.map(({ where }) => where).toSorted()).toEqual(
      [
        `frames/${orphan.slice(0, 2)}/${orphan}.png`,
        `frames/${damaged.slice(0, 2)}/${damaged}.png`,
        "frames/00/note.txt",
        "frames/other",
        "staging/1-x.png",
      ].toSorted(),
    );
  });

  test("may be one without any publication", async () => {
    const directory = await temporaryDirectory();
    expect(await faultsOf(directory)).toEqual([]);
    writeFileSync(join(directory, "catalog.sqlite"), "");
    expect(await faultsOf(directory)).toEqual([]);
    await (await openCatalog({ directory, now: () => new Date() })).close();
    expect((await verifyDirectory(directory)).findings).toEqual([]);
  });
});

describe("a damaged frame", () => {
  test("that is missing is reported with the revision that shows it", async () => {
    const { directory, frames } = await makeDirectory();
    rmSync(frameFileOf(directory, frames[1]!));
    expect(await faultsOf(directory)).toEqual([
      `frames/${frames[1]!.slice(0, 2)}/${frames[1]}.png: It is missing, and event a, sequence 2 shows it.`,
    ]);
  });

  test("that was changed, truncated or replaced by a folder is reported", async () => {
    const { directory, frames } = await makeDirectory();
    writeFileSync(frameFileOf(directory, frames[0]!), pictureOf(50));
    truncateSync(frameFileOf(directory, frames[1]!), 20);
    rmSync(frameFileOf(directory, frames[2]!));
    mkdirSync(frameFileOf(directory, frames[2]!));
    expect((await faultsOf(directory)).toSorted()).toEqual(
      frames
        .map((id, index) => {
          const what = index === 2 ? "It is not a file." : "Its bytes do not match its name.";
          return `frames/${id.slice(0, 2)}/${id}.png: ${what}`;
        })
        .toSorted(),
    );
  });

  test("with a matching name that is not a PNG is reported", async () => {
    const { directory } = await makeDirectory();
    const frameId = await createFrameStore({ directory }).put(Buffer.from("no picture"));
    changeCatalog(
      directory,
      `UPDATE revision_layers SET frame_id = '${frameId}' WHERE event_id = 'a' AND sequence = 1`,
    );
    const faults = await faultsOf(directory);
    expect(faults).toContainEqual(
      expect.stringContaining("It is not a readable PNG: the PNG signature is missing"),
    );
    expect(faults).toContainEqual(
      "catalog.sqlite, event a, sequence 1: The manifest and the row differ for mrms-mesh.",
    );
  });
});

describe("a damaged row", () => {
  test.each([
    ["manifest = x'00'", ["do not match the hash", "it is not JSON in UTF-8"]],
    [
      "manifest = CAST('{}' AS BLOB)",
      ["do not match the hash", "The manifest violates the contract: schemaVersion"],
    ],
    ["manifest_sha256 = 'x'", ["do not match the hash"]],
    ["published_at = published_at - 1", ["generatedAt is", "published before"]],
    ["observed_at = observed_at + 1", ["Its time differs from its newest layer's"]],
    ["observation_window = 1", ["observation window"]],
    ["west = -179", ["bounds differ", "outside its bounds"]],
    ["revision_id = 'a b'", ["is not a revision id", "revisionId is"]],
    ["observed_at = 9007199254740991", ["cannot be read", "outside its window"]],
  ])("of a revision, with %s, is reported", async (setting, expected) => {
    const { directory } = await makeDirectory();
    changeCatalog(directory, `UPDATE revisions SET ${setting} WHERE event_id = 'a' AND sequence = 2`);
    const faults = await faultsOf(directory);
    for (const part of expected) expect(faults).toContainEqual(expect.stringContaining(part));
    expect(faults.every((fault) => fault.startsWith("catalog.sqlite, event a"))).toBe(true);
  });

  test.each([
    ["last_sequence = 2", "its counter is at 2"],
    ["last_sequence = 9", "its counter is at 9"],
    ["current_revision_id = '20240501T200000Z-1'", "Its current revision is 20240501T200000Z-1"],
    ["current_revision_id = NULL", "Its current revision is none"],
    ["last_published_at = 0", "newer than the event's last publication"],
    ["ended_at = started_at", "outside its window"],
    ["east = west", "outside its bounds"],
    ["west = -181", "violates the contract: bounds"],
    ["id = 'Not An Id'", "Its id is invalid"],
  ])("of an event, with %s, is reported", async (setting, expected) => {
    const { directory } = await makeDirectory();
    changeCatalog(directory, `UPDATE events SET ${setting} WHERE id = 'a'`);
    expect(await faultsOf(directory)).toContainEqual(expect.stringContaining(expected));
  });

  test.each([
    ["DELETE FROM revisions WHERE event_id = 'a' AND sequence = 2", "1 of its 3 sequences are missing"],
    ["DELETE FROM revision_layers WHERE event_id = 'a' AND sequence = 2", "It has no layer"],
    [
      "UPDATE revision_layers SET message_sha256 = 'x', source_url = 'x:y' WHERE sequence = 2",
      "differ for mrms-mesh",
    ],
    ["UPDATE revision_layers SET product_id = 'mrms-reflectivity' WHERE event_id = 'a'", "which has no row"],
    [
      "UPDATE revision_layers SET frame_id = '../x' WHERE sequence = 3",
      '"../x" is not the name of a stored frame',
    ],
    ["DELETE FROM events WHERE id = 'b'", "A row of revisions belongs to a missing row of events"],
    ["DELETE FROM catalog_state", "The row of the change counters is missing"],
    ["DROP TABLE revision_layers", "no such table"],
    ["DROP INDEX layers_by_time; DROP TABLE events", "no such table"],
  ])("left by %s is reported", async (sql, expected) => {
    const { directory } = await makeDirectory();
    changeCatalog(directory, sql);
    expect(await faultsOf(directory)).toContainEqual(expect.stringContaining(expected));
  });
});

describe("an incomplete directory", () => {
  test("is checked as far as it exists", async () => {
    const missing = join(await temporaryDirectory(), "missing");
    expect(await faultsOf(missing)).toEqual([".: There is no such data directory."]);
    expect(existsSync(missing)).toBe(false);

    const { directory } = await makeDirectory();
    renameSync(join(directory, "frames"), join(directory, "elsewhere"));
    expect(await faultsOf(directory)).toHaveLength(4);
    rmSync(join(directory, "staging"), { recursive: true });
    rmSync(join(directory, "writers.lock"));
    expect(await faultsOf(directory)).toHaveLength(4);
  });

  test("without a catalog, or with garbage, a newer or a truncated one, is reported, and its frames are checked", async () => {
    const { directory, frames } = await makeDirectory();
    writeFileSync(frameFileOf(directory, frames[0]!), "damaged");
    const cases: readonly [string, (catalog: string, copy: string) => void, string][] = [
      [
        "gone",
        (catalog) => {
          rmSync(catalog);
        },
        "It is missing, but there are frames",
      ],
      [
        "garbage",
        (catalog) => {
          writeFileSync(catalog, "garbage ".repeat(2000));
        },
        "not an SQLite database",
      ],
      [
        "newer",
        (_, copy) => {
          changeCatalog(copy, "PRAGMA user_version = 99");
        },
        "version 99",
      ],
      [
        "cut",
        (catalog) => {
          truncateSync(catalog, 20_000);
        },
        "catalog.sqlite",
      ],
    ];
    for (const [name, damage, expected] of cases) {
      const copy = join(await temporaryDirectory(), name);
      cpSync(directory, copy, { recursive: true });
      damage(join(copy, "catalog.sqlite"), copy);
      const before = contentOf(copy);
      const faults = await faultsOf(copy);
      expect(faults, name).toContainEqual(expect.stringContaining(expected));
      expect(faults, name).toContainEqual(expect.stringContaining("Its bytes do not match its name."));
      expect(contentOf(copy), name).toEqual(before);
    }
  });

  test.each([
    ["sound files", () => Promise.resolve()],
    [
      "an orphan and a missing frame",
      async ({ directory, frames }: Sample) => {
        await createFrameStore({ directory }).put(pictureOf(77));
        rmSync(frameFileOf(directory, frames[0]!));
      },
    ],
  ])(
    "never crashes a verification, with any page of its catalog overwritten next to %s",
    async (_, change) => {
      const { directory, frames } = await makeDirectory();
      await change({ directory, frames });
      const catalog = join(directory, "catalog.sqlite");
      const sound = readFileSync(catalog);
      let named = 0;
      for (let page = 0; page * 4096 < sound.length; page += 1) {
        const damaged = Buffer.from(sound);
        for (let at = page * 4096; at < (page + 1) * 4096; at += 1) damaged[at] = (at * 31 + page) & 0xff;
        writeFileSync(catalog, damaged);
        if ((await faultsOf(directory)).some((fault) => fault.startsWith("catalog.sqlite"))) named += 1;
      }
      expect(named).toBe(Math.ceil(sound.length / 4096));
    },
  );

  test.each([
    [
      "gone",
      (directory: string) => {
        rmSync(join(directory, "catalog.sqlite"));
      },
      "It is missing",
    ],
    [
      "without a table",
      (directory: string) => {
        changeCatalog(directory, "DROP TABLE revision_layers");
      },
      "no such table",
    ],
  ])(
    "whose catalog is %s has it reported next to a frame that links to nowhere",
    async (_, damage, expected) => {
      const { directory, frames } = await makeDirectory();
      const file = frameFileOf(directory, frames[0]!);
      rmSync(file);
      symlinkSync(join(directory, "nowhere"), file);
      damage(directory);
      const before = contentOf(directory);
      expect(await faultsOf(directory)).toContainEqual(expect.stringContaining(expected));
      expect(contentOf(directory)).toEqual(before);
    },
  );

  test("aborts its verification with the signal's reason", async () => {
    const { directory } = await makeDirectory();
    await expect(verifyDirectory(directory, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
  });
});
