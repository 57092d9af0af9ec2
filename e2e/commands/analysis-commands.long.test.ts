// `known`, `diff`, `swath` and `story` against loops over the decoded PNGs of the same event, as the service serves
// them.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeGribFile } from "../../electron/support/grib-files.ts";
import {
  echotopProgram,
  makeTemporaryDirectory,
  projectRoot,
  removeDirectory,
  runCommand,
  startHost,
} from "../../electron/support/host-process.ts";
import { MrmsManifest } from "../../shared/contract/index.ts";
import { reflectivity } from "../../shared/products/reflectivity.ts";
import {
  naiveDifference,
  naiveKnown,
  naiveStory,
  naiveSwath,
  toKnownLine,
  type GetPlane,
  type NaiveLayer,
  type NaiveRevision,
} from "../support/naive-answers.ts";
import { readNaivePng, readText, toNaivePlane, type NaivePlane } from "../support/naive-cells.ts";
import { relabel, restamp } from "../support/restamp.ts";

const [hail, echo] = ["mrms-mesh", "mrms-reflectivity"] as const;
const event = "storm";
let root: string;

beforeAll(() => {
  root = makeTemporaryDirectory("analysis-commands");
});

afterAll(() => {
  removeDirectory(root);
});

/** An event as the service serves it: its revisions, and planes of its frames. */
interface ServedEvent {
  readonly revisions: readonly NaiveRevision[];
  readonly getPlane: GetPlane;
  readonly pngs: ReadonlyMap<string, Buffer>;
}

/** @param cellOf size of a frame's cells by the west edge of its whole grid, in millionths of a degree */
async function readServed(data: string, cellOf: (west: number) => number): Promise<ServedEvent> {
  const host = await startHost(data);
  const read = async (path: string): Promise<Buffer> => {
    const response = await fetch(`${host.origin}${path}`);
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };
  const list = JSON.parse((await read(`/v1/storm-events/${event}/revisions?limit=360`)).toString()) as {
    frames: { revisionId: string; observedAt: string }[];
  };
  const pngs = new Map<string, Buffer>();
  const planes = new Map<string, NaivePlane>();
  const revisions: NaiveRevision[] = [];
  for (const { revisionId, observedAt } of list.frames) {
    const path = `/v1/storm-events/${event}/revisions/${revisionId}/manifest`;
    const { layers, sequence, generatedAt } = MrmsManifest.parse(JSON.parse((await read(path)).toString()));
    const named = layers.map((layer) => ({
      id: layer.id,
      observedAt: layer.observedAt,
      bounds: layer.bounds,
      imageUrl: layer.imageUrl,
      frameId: layer.imageUrl.replace(/^.*\/|\.png$/g, ""),
    }));
    for (const { frameId, imageUrl, bounds } of named) {
      if (pngs.has(frameId)) continue;
      const png = await read(imageUrl);
      const { bounds: whole } = readText(readNaivePng(png), "echotop:coverage") as { bounds: number[] };
      pngs.set(frameId, png);
      planes.set(frameId, toNaivePlane(png, bounds, cellOf(whole[0]!)));
    }
    revisions.push({ sequence: sequence!, revisionId, observedAt, publishedAt: generatedAt, layers: named });
  }
  await host.stop();
  return { revisions, pngs, getPlane: (frameId) => planes.get(frameId) };
}

/** Runs a command on a data directory; returns its lines as text, so that the order of the fields counts. */
async function ask(data: string, ...args: readonly string[]): Promise<string[]> {
  const { status, lines, stderr } = await runCommand([...args, "--data", data]);
  expect(status, stderr).toBe(0);
  return lines.map((line) => JSON.stringify(line));
}

const toTexts = (lines: readonly unknown[]): string[] => lines.map((line) => JSON.stringify(line));

describe("a history with corrections, completions, backfills, gaps, two grids, empty and damaged frames", () => {
  let data: string;
  let served: ServedEvent;
  let damaged: string;
  const columns = 70;
  const rows = 50;
  const gridB = { columns: 40, rows: 30, westUdeg: -97_000_000, northUdeg: 35_000_000, spacingUdeg: 20_000 };

  /** Blobs and noise of a seed, outside coverage in the east, which shrinks and grows. */
  const valuesOf =
    (product: string, seed: number) =>
    (row: number, column: number): number => {
      if (column > 55 + (seed % 3) * 5) return product === hail ? -3 : -999;
      const wave = Math.sin((row + seed * 5) / 6) * Math.cos((column + seed * 7) / 8);
      const noise = ((row * 7919 + column * 104_729 + seed * 31) % 97) / 97;
      if (wave < 0.2 && noise < 0.9) return product === hail ? -1 : -99;
      return product === hail ? 60 * wave * noise : 60 * wave + 8 * noise;
    };

  beforeAll(async () => {
    data = join(root, "generated");
    const folder = join(root, "files");
    mkdirSync(folder);
    const at = (window: number, second = 39): string =>
      new Date(Date.UTC(2024, 4, 20, 21, 0, second) + window * 120_000).toISOString();
    let number = 0;
    const ingest = async (
      window: number,
      seed: number,
      products: readonly (typeof hail | typeof echo)[],
      draft: Partial<Parameters<typeof writeGribFile>[1]> = {},
    ): Promise<void> => {
      number += 1;
      const paths = products.map((product) =>
        writeGribFile(folder, {
          ...{ product, observedAt: at(window), columns, rows, values: valuesOf(product, seed) },
          name: `${number}-${product}.grib2.gz`,
          ...draft,
        }),
      );
      const { status, stderr } = await runCommand(["ingest", "--data", data, "--event", event, ...paths]);
      if (status !== 0) throw new Error(stderr);
    };
    await ingest(0, 0, [echo], { fill: -99, values: () => -99 });
    await ingest(1, 1, [hail, echo]);
    await ingest(2, 2, [echo]);
    await ingest(4, 3, [hail, echo]);
    await ingest(2, 2, [hail]);
    await ingest(1, 4, [echo]);
    await ingest(6, 5, [hail, echo], gridB);
    await ingest(5, 6, [hail, echo]);
    await ingest(1, 7, [echo]);
    await ingest(8, 8, [hail, echo]);
    await ingest(1, 4, [echo], { observedAt: at(1, 41) });
    await ingest(9, 9, [hail]);
    served = await readServed(data, (west) => (west === -97 ? 20_000 : 10_000));
    damaged = served.revisions.find(({ sequence }) => sequence === 10)!.layers[0]!.frameId;
    const file = join(data, "frames", damaged.slice(0, 2), `${damaged}.png`);
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(file, bytes);
  });

  const getPlane: GetPlane = (frameId) => (frameId === damaged ? undefined : served.getPlane(frameId));
  const upTo = (sequence: number): NaiveRevision[] =>
    served.revisions.filter((revision) => revision.sequence <= sequence);

  test("has twelve revisions", () => {
    expect(served.revisions.map(({ sequence, layers }) => [sequence, layers.length])).toEqual([
      ...[1, 2, 1, 2, 2, 2, 2, 2, 2, 2, 2, 1].map((layers, index) => [index + 1, layers]),
    ]);
  });

  test("known: each window's highest revision, at every sequence and every time of publication", async () => {
    for (const { sequence, publishedAt } of served.revisions) {
      const expected = toTexts(naiveKnown(upTo(sequence)).map(toKnownLine));
      expect(await ask(data, "known", event, "--at", String(sequence))).toEqual(expected);
      const published = served.revisions.filter((revision) => revision.publishedAt <= publishedAt);
      expect(await ask(data, "known", event, "--at", publishedAt)).toEqual(
        toTexts(naiveKnown(published).map(toKnownLine)),
      );
    }
    expect(await ask(data, "known", event, "--at", "2020-01-01T00:00:00+02:00")).toEqual([]);
  });

  test("diff: the four counts and the biggest rise of every layer, in both orders", async () => {
    let compared = 0;
    for (const [from, to] of [
      ...[
        [2, 6],
        [6, 2],
        [6, 9],
        [9, 11],
        [2, 11],
        [1, 2],
        [2, 1],
        [3, 5],
        [4, 8],
        [8, 4],
      ],
      ...[
        [7, 8],
        [8, 10],
        [10, 8],
        [11, 12],
        [5, 5],
      ],
    ] as [number, number][]) {
      const find = (sequence: number, layer: string): NaiveLayer | undefined =>
        served.revisions[sequence - 1]!.layers.find(({ id }) => id === layer);
      const expected = [echo, hail].flatMap((layer): unknown[] => {
        const [before, after] = [find(from, layer), find(to, layer)];
        if (!before && !after) return [];
        const sides = {
          from: { sequence: from, frameId: before?.frameId ?? null },
          to: { sequence: to, frameId: after?.frameId ?? null },
        };
        const outcome = before && after && naiveDifference(getPlane(before.frameId), getPlane(after.frameId));
        if (outcome) compared += 1;
        return [{ layer, ...sides, ...(outcome ?? { cells: null, why: "" }) }];
      });
      const lines = await ask(data, "diff", event, "--from", String(from), "--to", String(to));
      const reasons = lines.flatMap((line) => (JSON.parse(line) as { why?: string }).why ?? []);
      for (const why of reasons) expect(why).toMatch(/^[A-Z][^\n]+\.$/);
      expect(lines.map((line) => line.replace(/"why":"[^"]+"/, '"why":""'))).toEqual(toTexts(expected));
    }
    expect(compared).toBeGreaterThan(12);
    const [only] = await ask(data, "diff", event, "--from", "2", "--to", "6", "--layer", hail);
    expect(JSON.parse(only!)).toMatchObject({ layer: hail, cells: { up: 0, down: 0 }, biggestRise: null });
  });

  const spans = [
    {},
    { from: "2024-05-20T21:02:39Z", to: "2024-05-20T21:10:39Z" },
    { from: "2024-05-20T21:12:00Z" },
    { to: "2024-05-20T21:01:00Z" },
    { from: "2024-05-20T22:00:00Z" },
  ];

  test.each([echo, hail])(
    "swath of %s: line and picture, over any span, as known at any sequence",
    async (layer) => {
      for (const [index, span] of spans.entries()) {
        for (const known of index === 0 ? [1, 3, 5, 6, 8, 9, 12] : [12]) {
          const out = join(root, "swath.png");
          writeFileSync(out, "an older file");
          const expected = naiveSwath(upTo(known), { layer, ...span }, getPlane);
          const options = Object.entries({ ...span, "known-at": String(known), layer });
          const args = options.flatMap(([name, value]) => [`--${name}`, value]);
          const { status, lines } = await runCommand(["swath", event, ...args, "--out", out, "--data", data]);
          expect(toTexts(lines)).toEqual(toTexts([expected.line]));
          expect(status).toBe(expected.highest ? 0 : 1);
          if (!expected.highest) {
            expect(readFileSync(out, "utf8")).toBe("an older file");
            continue;
          }
          const { bounds } = expected.line as { bounds: number[] };
          const plane = toNaivePlane(readFileSync(out), bounds, bounds[0]! > -97.5 ? 20_000 : 10_000);
          expect(plane.indices).toEqual(expected.highest);
          expect(plane.covered).toEqual(expected.covered);
          const png = readNaivePng(readFileSync(out));
          const published = readNaivePng(served.pngs.get(findFrame(layer))!);
          for (const chunk of ["PLTE", "tRNS", "echotop:classes"])
            expect(png.chunks.get(chunk)).toEqual(published.chunks.get(chunk));
        }
      }
    },
  );

  function findFrame(layer: string): string {
    return served.revisions.flatMap(({ layers }) => layers).find(({ id }) => id === layer)!.frameId;
  }

  test("swath: never loses a cell when windows are added", async () => {
    const counts: number[][] = [];
    for (const { observedAt } of naiveKnown(served.revisions).slice(1, 6)) {
      const [line] = await ask(data, "swath", event, "--layer", echo, "--to", observedAt);
      const { histogram } = JSON.parse(line!) as { histogram: [number, number][] };
      counts.push(
        [5, 20, 35, 50].map((least) =>
          histogram.reduce((sum, [lower, cells]) => sum + (lower >= least ? cells : 0), 0),
        ),
      );
    }
    counts.slice(1).forEach((later, index) => {
      later.forEach((count, place) => {
        expect(count).toBeGreaterThanOrEqual(counts[index]![place]!);
      });
    });
    expect(counts.at(-1)![0]).toBeGreaterThan(counts[0]![0]!);
  });

  test("story: the class or the kind of nothing of every window and layer, as lines and as CSV", async () => {
    const seen = new Set<string>();
    for (const place of [
      [-97.803, 35.901],
      [-97.4, 35.6],
      [-97.35, 35.75],
      [-97.305, 35.905],
      [-98, 36],
      [-96.9, 34.9],
      [12, 50],
    ] as [number, number][]) {
      for (const known of [5, 12]) {
        const at = ["--lon", String(place[0]), "--lat", String(place[1]), "--known-at", String(known)];
        const expected = naiveStory(upTo(known), place, getPlane);
        expect(await ask(data, "story", event, ...at)).toEqual(toTexts(expected));
        for (const line of expected) seen.add(String(line.nothing));
      }
    }
    expect([...seen].toSorted()).toEqual(["below", "failed", "not-delivered", "null", "outside-coverage"]);
    const { stdout } = await promisify(execFile)(process.execPath, [
      echotopProgram,
      ...["story", event, "--lon", "-97.803", "--lat", "35.901", "--format", "csv", "--data", data],
    ]);
    const csv = naiveStory(served.revisions, [-97.803, 35.901], getPlane).map((line) => {
      const [lower = "", upper] = line.class ?? [];
      const { observedAt, publishedAt, sequence, layer, nothing } = line;
      return [observedAt, publishedAt, sequence, layer, lower, upper ?? "", nothing ?? ""].join(",");
    });
    const header = "observedAt,publishedAt,sequence,layer,lower,upper,nothing";
    expect(stdout).toBe([header, ...csv, ""].join("\r\n"));
  });

  test.each([
    [1, ["known", "nowhere", "--at", "1"], "There is no event nowhere."],
    [1, ["story", "nowhere", "--lon", "1", "--lat", "1"], "There is no event nowhere."],
    [2, ["known", event, "--at", "13"], "revisions 1 to 12, not 13"],
    [2, ["known", event, "--at", "0"], "revisions 1 to 12, not 0"],
    [2, ["known", event, "--at", "-1"], "--at takes a sequence"],
    [2, ["known", event, "--at", "yesterday"], "--at takes an instant"],
    [2, ["diff", event, "--from", "1", "--to", "13"], "--to: the event"],
    [2, ["diff", event, "--from", "0", "--to", "1"], "--from: the event"],
    [2, ["swath", event, "--layer", hail, "--known-at", "99"], "--known-at: the event"],
    [2, ["swath", event, "--layer", "rain"], "rain"],
    [
      2,
      [
        ...["swath", event, "--layer", hail],
        ...["--from", "2024-05-20T21:02:00Z", "--to", "2024-05-20T21:01:00Z"],
      ],
      "--from 2024-05-20T21:02:00Z is after --to",
    ],
    [2, ["story", event, "--lon", "-180.1", "--lat", "0"], "--lon takes degrees"],
    [2, ["story", event, "--lon", "0", "--lat", "90.5"], "--lat takes degrees"],
    [2, ["story", event, "--lon", "here", "--lat", "0"], "--lon takes degrees"],
  ])("exit status %i, with one line: %s", async (expected, args, words) => {
    const { status, lines, stderr } = await runCommand([...args, "--data", data]);
    expect({ status, lines }).toEqual({ status: expected, lines: [] });
    expect(stderr).toContain(words);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});

const mrms = join(projectRoot, "../shared/mrms/conus");
const composite = join(mrms, "MRMS_MergedReflectivityQCComposite_00.50_20220704-110040.grib2");
const lowest = join(mrms, "MRMS_ReflectivityAtLowestAltitude_00.50_20230406-120039.grib2.gz");

describe.skipIf(!existsSync(composite) || !existsSync(lowest))("real files of the whole country", () => {
  test("give the same answers as loops over their cells", { timeout: 120_000 }, async () => {
    const data = join(root, "real");
    const folder = join(root, "real-files");
    mkdirSync(folder);
    const write = (name: string, message: Uint8Array, observedAt: string): string => {
      const path = join(folder, name);
      writeFileSync(path, restamp(relabel(message, reflectivity.grib), observedAt));
      return path;
    };
    for (const path of [
      write("a.grib2", readFileSync(composite), "2022-07-04T11:00:40Z"),
      write("b.grib2", gunzipSync(readFileSync(lowest)), "2022-07-04T11:04:40Z"),
    ]) {
      expect(await runCommand(["ingest", "--data", data, "--event", event, path])).toMatchObject({
        status: 0,
      });
    }
    const { revisions, getPlane } = await readServed(data, () => 10_000);
    const [first, second] = revisions.map(({ layers }) => getPlane(layers[0]!.frameId)!);
    const [line] = await ask(data, "diff", event, "--from", "1", "--to", "2");
    expect(JSON.parse(line!)).toMatchObject(naiveDifference(first, second)!);
    const out = join(root, "real.png");
    const swath = naiveSwath(revisions, { layer: echo }, getPlane);
    expect(await ask(data, "swath", event, "--layer", echo, "--out", out)).toEqual(toTexts([swath.line]));
    const { bounds } = swath.line as { bounds: number[] };
    expect(Buffer.compare(toNaivePlane(readFileSync(out), bounds, 10_000).indices, swath.highest!)).toBe(0);
    for (const place of [
      [-97.4, 35.2],
      [-88.123, 41.5],
      [-69.995, 54.99],
      [-80.2, 25.8],
    ] as [number, number][]) {
      const at = ["--lon", String(place[0]), "--lat", String(place[1])];
      expect(await ask(data, "story", event, ...at)).toEqual(toTexts(naiveStory(revisions, place, getPlane)));
    }
  });
});
