// The commands that manage a data directory, run as users run them: register, archive, backup, log.
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FeedLogEntry } from "../../electron/catalog/catalog.ts";
import { openCatalog } from "../../electron/catalog/sqlite/open-catalog.ts";
import {
  echotopProgram,
  makeTemporaryDirectory,
  removeDirectory,
  runCommand,
  startHost,
} from "../../electron/support/host-process.ts";

let root: string;

beforeAll(() => {
  root = makeTemporaryDirectory("directory-commands");
});

afterAll(() => {
  removeDirectory(root);
});

const window = ["--start", "2024-05-20T21:00:00Z", "--end", "2024-05-21T01:00:00Z"];

describe("register", () => {
  test("register creates an event that a running host lists immediately; a second call changes nothing", async () => {
    const data = join(root, "register");
    const host = await startHost(data);
    const args = ["register", "--data", data, "--event", "plains", "--label", "Plains", ...window];
    for (let time = 0; time < 2; time += 1) {
      expect(await runCommand(args)).toMatchObject({
        status: 0,
        lines: [{ event: "plains", label: "Plains", status: "active", startedAt: "2024-05-20T21:00:00Z" }],
      });
    }
    const listed = (await (await fetch(`${host.origin}/v1/storm-events`)).json()) as { events: unknown[] };
    expect(listed.events).toMatchObject([
      { id: "plains", status: "active", bounds: null, endedAt: "2024-05-21T01:00:00Z" },
    ]);
    const revisions = await fetch(`${host.origin}/v1/storm-events/plains/revisions`);
    expect(await revisions.json()).toMatchObject({ frames: [] });
    expect((await fetch(`${host.origin}/v1/storm-events/plains/manifest`)).status).toBe(404);
    await host.stop();
  });

  test("register accepts the name of a known event, and another id with --event", async () => {
    const data = join(root, "known");
    const known = ["register", "--data", data, "--known", "hondo-2021-04-28"];
    expect(await runCommand(known)).toMatchObject({ status: 0, lines: [{ event: "hondo-2021-04-28" }] });
    expect(await runCommand([...known, "--event", "hondo"])).toMatchObject({
      status: 0,
      lines: [{ event: "hondo", label: "Hondo, Texas, 28 April 2021" }],
    });
    const conflict = await runCommand([...known, "--label", "Mine"]);
    expect(conflict).toMatchObject({
      status: 1,
      lines: [],
      stderr: expect.stringContaining("already") as string,
    });
  });

  test.each([
    ["an unknown name, and lists the known ones", ["--known", "x"], "hondo-2021-04-28"],
    ["a window in addition to a name", ["--known", "hondo-2021-04-28", ...window], "--start"],
    ["a missing label", ["--event", "a", ...window], "--label is required"],
    [
      "a day instead of an instant",
      ["--event", "a", "--label", "A", "--start", "2024-05-20"],
      "--start takes an instant",
    ],
    [
      "an end before the start",
      ["--event", "a", "--label", "A", "--start", "2024-05-20T21:00:00Z", "--end", "2024-05-20T20:00:00Z"],
      "must end after it starts",
    ],
  ])("register refuses %s", async (_what, args, words) => {
    const data = join(root, "wrong");
    const { status, lines, stderr } = await runCommand(["register", "--data", data, ...args]);
    expect({ status, lines }).toEqual({ status: 2, lines: [] });
    expect(stderr).toContain(words);
  });
});

test("archive makes an event read-only and refuses a missing one", async () => {
  const data = join(root, "archive");
  const archive = (event: string): ReturnType<typeof runCommand> =>
    runCommand(["archive", "--data", data, "--event", event]);
  expect(await archive("plains")).toMatchObject({ status: 1, lines: [] });
  expect(existsSync(data)).toBe(false);
  await runCommand(["register", "--data", data, "--event", "plains", "--label", "Plains", ...window]);
  expect(await archive("plains")).toMatchObject({
    status: 0,
    lines: [{ event: "plains", status: "archived" }],
  });
  expect(await archive("nowhere")).toMatchObject({
    status: 1,
    stderr: "echotop: There is no event nowhere.\n",
  });
});

test("backup copies into an empty folder only, and the copy passes verification", async () => {
  const [data, copy] = [join(root, "backup"), join(root, "backup-copy")];
  await runCommand(["register", "--data", data, "--known", "hondo-2021-04-28"]);
  const backup = ["backup", "--data", data, "--to", copy];
  expect(await runCommand(backup)).toMatchObject({
    status: 0,
    lines: [{ backup: copy, faults: 0, events: 1, revisions: 0, frames: 0, sources: 0 }],
  });
  expect(await runCommand(["verify", "--data", copy])).toMatchObject({ status: 0, lines: [{ events: 1 }] });
  expect(await runCommand(backup)).toMatchObject({
    status: 1,
    lines: [],
    stderr: "echotop: The folder for the copy is not empty; choose an empty or a new one.\n",
  });
  expect((await runCommand(["backup", "--data", data])).status).toBe(2);
  const elsewhere = join(root, "nothing");
  expect((await runCommand(["backup", "--data", elsewhere, "--to", `${elsewhere}-copy`])).status).toBe(1);
  expect(readdirSync(root)).not.toContain("nothing-copy");
});

describe("log", () => {
  const failure: FeedLogEntry = {
    at: "2024-05-20T21:03:00Z",
    source: "folder:incoming",
    eventId: "conus-live",
    kind: "failed",
    productId: "mrms-mesh",
    locator: '=MRMS_"MESH", cut.grib2.gz',
    delayMs: -5,
    message: "It is cut short,\nand more.",
  };

  test("log prints each failed file and its cause as JSON lines, or as CSV without formulas", async () => {
    const data = join(root, "log");
    const catalog = await openCatalog({ directory: data, now: () => new Date() });
    const started = {
      at: "2024-05-20T21:00:00Z",
      source: "noaa",
      eventId: "conus-live",
      kind: "started",
    } as const;
    await catalog.appendFeedLog([started, ...Array.from({ length: 1200 }, () => failure)]);
    const { status, lines } = await runCommand(["log", "--data", data]);
    expect({ status, count: lines.length }).toEqual({ status: 0, count: 1201 });
    expect(lines[0]).toEqual({ id: 1, ...started });
    expect(lines[1200]).toEqual({ id: 1201, ...failure });
    // Reads while the catalog is open for writing in this process.
    const { stdout } = await promisify(execFile)(process.execPath, [
      echotopProgram,
      ...["log", "--data", data, "--format", "csv"],
    ]);
    const records = stdout.split("\r\n");
    expect(records[0]).toBe(
      "id,at,source,eventId,kind,productId,observedAt,locator,byteLength,delayMs,durationMs,revisionId,sequence,change,message",
    );
    expect(records[1]).toBe("1,2024-05-20T21:00:00Z,noaa,conus-live,started,,,,,,,,,,");
    expect(records[2]).toBe(
      '2,2024-05-20T21:03:00Z,folder:incoming,conus-live,failed,mrms-mesh,,"\'=MRMS_""MESH"", cut.grib2.gz",,-5,,,,,"It is cut short,\\u000aand more."',
    );
    await catalog.close();
  });

  test("log fails without a directory, and refuses an unknown format", async () => {
    const missing = join(root, "missing");
    expect((await runCommand(["log", "--data", missing])).status).toBe(1);
    expect(existsSync(missing)).toBe(false);
    expect((await runCommand(["log", "--data", missing, "--format", "xml"])).status).toBe(2);
  });
});
