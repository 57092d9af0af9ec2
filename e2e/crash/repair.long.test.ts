// `verify --repair` next to a running host: real files, real pictures, the real command line. It restores the frames it
// can redraw and withdraws the revisions it cannot; the host continues to serve.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openReadableCatalog } from "../../electron/catalog/sqlite/open-catalog.ts";
import { createRandom } from "../../electron/pipeline/demo/random.ts";
import { MrmsHistory, MrmsManifest } from "../../shared/contract/index.ts";
import { writeGribFile } from "../../electron/support/grib-files.ts";
import { makeTemporaryDirectory, removeDirectory, runCommand } from "../../electron/support/host-process.ts";
import { startLocalHost, type LocalHost } from "../support/local-host.ts";
import { runKilled } from "./killed-command.ts";

const windows = 3;

let root: string;
let data: string;
let sources: string;
let host: LocalHost | undefined;

beforeEach(() => {
  root = makeTemporaryDirectory("repair");
  data = join(root, "data");
  sources = join(root, "sources");
});
afterEach(async () => {
  await host?.close();
  host = undefined;
  removeDirectory(root);
});

/** Writes both products of a few windows into one folder. */
function writeSources(): void {
  mkdirSync(sources);
  for (let window = 0; window < windows; window += 1) {
    for (const product of ["mrms-mesh", "mrms-reflectivity"] as const) {
      const observedAt = new Date(Date.UTC(2024, 4, 1, 20, 2 * window, 39)).toISOString();
      writeGribFile(sources, {
        product,
        observedAt,
        values: (row, column) => ((row * 3 + column + window * 5) % 12) * 5,
      });
    }
  }
}

interface Served {
  readonly sequences: readonly number[];
  /** Status and bytes of each listed frame, by path. */
  readonly frames: Readonly<Record<string, string>>;
}

async function readServed(): Promise<Served> {
  const response = await fetch(`${host!.origin}/v1/storm-events/storm/revisions?limit=360`);
  const history = MrmsHistory.parse(await response.json());
  const frames: Record<string, string> = {};
  for (const { imageUrl } of history.frames.flatMap(({ layers }) => layers)) {
    const frame = await fetch(host!.origin + imageUrl);
    frames[imageUrl] = `${frame.status} ${Buffer.from(await frame.arrayBuffer()).toString("base64")}`;
  }
  return { sequences: history.frames.map(({ sequence }) => sequence!), frames };
}

/** Returns the frame files of a revision in drawing order. */
async function frameFilesOf(sequence: number): Promise<string[]> {
  const catalog = await openReadableCatalog({ directory: data });
  const revisions = await catalog.listRevisions("storm", 360);
  await catalog.close();
  const { manifest } = revisions.find((revision) => revision.sequence === sequence)!;
  const { layers } = MrmsManifest.parse(JSON.parse(Buffer.from(manifest).toString("utf8")));
  return layers.map(({ imageUrl }) => {
    const name = imageUrl.split("/").at(-1)!;
    return join(data, "frames", name.slice(0, 2), name);
  });
}

describe("verify --repair next to a host", { timeout: 60_000 }, () => {
  test("repair redraws removed and changed frames from local files, and the host serves them as before", async () => {
    writeSources();
    const ingest = ["ingest", "--data", data, "--event", "storm", "--no-keep", sources];
    expect((await runCommand(ingest)).status).toBe(0);
    host = await startLocalHost(data);
    const before = await readServed();
    const [first] = await frameFilesOf(1);
    const [, second] = await frameFilesOf(2);
    rmSync(first!);
    writeFileSync(second!, "changed by another program");

    const damaged = await readServed();
    expect(Object.values(damaged.frames).filter((frame) => frame.startsWith("404"))).toHaveLength(2);
    const verified = await runCommand(["verify", "--data", data]);
    expect(verified.status).toBe(1);
    expect(verified.lines.filter(({ severity }) => severity === "fault")).toHaveLength(2);

    const repaired = await runCommand(["verify", "--data", data, "--repair"]);
    expect(repaired).toMatchObject({ status: 0 });
    expect(repaired.lines.slice(0, -1).map((line) => line.repaired)).toEqual([
      "It was restored from the ingested file.",
      "It was restored from the ingested file.",
    ]);
    expect(repaired.lines.at(-1)).toMatchObject({ verified: true, faults: 0, repaired: 2, withdrawn: 0 });
    expect(await readServed()).toEqual(before);
    expect(await runCommand(["verify", "--data", data])).toMatchObject({ status: 0 });
  });

  test("repair redraws fetched frames from stored sources if the original place is gone", async () => {
    writeSources();
    const window = ["--start", "2024-05-01T20:00:00Z", "--end", "2024-05-01T20:06:00Z"];
    await runCommand(["register", "--data", data, "--event", "storm", "--label", "Storm", ...window]);
    const fetched = await runCommand([
      ...["fetch", "--data", data, "--event", "storm"],
      ...["--source", `folder:${sources}`],
    ]);
    expect(fetched).toMatchObject({ status: 0 });
    rmSync(sources, { recursive: true });
    host = await startLocalHost(data);
    const before = await readServed();
    expect(before.sequences).toEqual([1, 2, 3]);
    rmSync(join(data, "frames"), { recursive: true });

    const repaired = await runCommand(["verify", "--data", data, "--repair"]);
    expect(repaired).toMatchObject({ status: 0 });
    expect(repaired.lines.at(-1)).toMatchObject({ repaired: 2 * windows, withdrawn: 0 });
    expect(await readServed()).toEqual(before);
  });

  test("repair withdraws revisions that cannot be redrawn, and the host continues with the rest", async () => {
    writeSources();
    await runCommand(["ingest", "--data", data, "--event", "storm", "--no-keep", sources]);
    host = await startLocalHost(data);
    const before = await readServed();
    const files = await frameFilesOf(windows);
    rmSync(sources, { recursive: true });
    for (const file of files) rmSync(file);

    const repaired = await runCommand(["verify", "--data", data, "--repair"]);
    expect(repaired).toMatchObject({ status: 0 });
    expect(repaired.lines.at(-1)).toMatchObject({ verified: true, withdrawn: 1 });
    const after = await readServed();
    expect(after.sequences).toEqual([1, 2]);
    for (const [url, frame] of Object.entries(after.frames)) expect(frame).toBe(before.frames[url]);
    const latest = await fetch(`${host.origin}/v1/storm-events/storm/manifest`);
    expect(MrmsManifest.parse(await latest.json()).sequence).toBe(2);

    writeSources();
    const again = await runCommand(["ingest", "--data", data, "--event", "storm", sources]);
    const published = again.lines
      .filter(({ status }) => status === "complete")
      .map(({ sequence }) => sequence);
    expect(published).toEqual([windows + 1, windows + 1]);
    expect((await readServed()).sequences).toEqual([1, 2, 4]);
    expect(await runCommand(["verify", "--data", data])).toMatchObject({ status: 0 });
  });

  test(
    "a repair that is killed repeatedly loses nothing that can be restored",
    { timeout: 120_000 },
    async () => {
      writeSources();
      await runCommand(["ingest", "--data", data, "--event", "storm", sources]);
      host = await startLocalHost(data);
      const before = await readServed();
      const random = createRandom(20_240_502);
      for (let round = 0; round < 6; round += 1) {
        rmSync(join(data, "frames"), { recursive: true, force: true });
        const args = ["verify", "--data", data, "--repair"];
        await runKilled(args, { lines: Math.floor(random() * 2 * windows), ms: 30 * random() });
      }
      expect(await runCommand(["verify", "--data", data, "--repair"])).toMatchObject({ status: 0 });
      expect(await readServed()).toEqual(before);
    },
  );

  test("repair exits with status 1 if the directory is missing", async () => {
    const { status, lines } = await runCommand(["verify", "--data", join(root, "missing"), "--repair"]);
    expect(status).toBe(1);
    expect(lines[0]).toMatchObject({ what: "There is no such data directory.", repaired: null });
  });
});
