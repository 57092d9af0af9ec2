import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createSourceStore } from "../../catalog/files/file-source-store.ts";
import { mercatorX, mercatorY } from "../../../shared/geo/mercator.ts";
import { defaultPalette, stopColors, toRgba } from "../../../shared/products/palettes.ts";
import { getProduct } from "../../../shared/products/registry.ts";
import {
  openBriefingTrial,
  preparedMap,
  removeSharedTrials,
  sampleBounds,
  samplePx,
  type BriefingTrial,
} from "../briefings/support/briefing-trial.ts";
import { exportFormats, type ExportFormatId } from "./export-formats.ts";
import type { ExportedFile, ExportRequest } from "./export-request.ts";
import { pillowPython, readWithPillow } from "./support/pillow.ts";

afterAll(removeSharedTrials);

const event = { id: "plains", label: "Plains hail (synthetic)" };
const [meshStops, echoStops] = [getProduct("mrms-mesh"), getProduct("mrms-reflectivity")].map((product) =>
  stopColors(product, defaultPalette).map((color) => toRgba(color).slice(0, 3)),
);
/** Stops of 55 mm, of 30 mm and of 62 dBZ. */
const [twoInches, oneInch, sixty] = [meshStops![8]!, meshStops![4]!, echoStops![11]!];

/** Three windows with a missing one before the last: hail of 30, 55 and 30 mm. */
async function openTrial(): Promise<BriefingTrial> {
  const trial = await openBriefingTrial();
  await trial.add(event, { minute: 0, values: { "mrms-reflectivity": 62, "mrms-mesh": 30 } });
  await trial.add(event, { minute: 2, values: { "mrms-reflectivity": 62, "mrms-mesh": 55 } });
  await trial.add(event, { minute: 6, values: { "mrms-reflectivity": 62, "mrms-mesh": 30 } });
  mkdirSync(trial.out);
  return trial;
}

type Wish = Partial<Omit<ExportRequest, "picture">> & {
  readonly picture?: Partial<ExportRequest["picture"]>;
};

async function write(
  trial: BriefingTrial,
  format: ExportFormatId,
  { picture, ...wish }: Wish,
  signal = new AbortController().signal,
): Promise<readonly ExportedFile[]> {
  const writeFiles = await exportFormats[format].load();
  const request: ExportRequest = {
    ...{ eventId: event.id, newest: Infinity, out: join(trial.out, `storm.${format}`) },
    ...wish,
    picture: { widthPx: 640, heightPx: 480, palette: defaultPalette, framesPerSecond: 4, ...picture },
  };
  const sources = createSourceStore({ directory: trial.directory });
  return writeFiles(request, { ...trial, sources, mapFile: await preparedMap(), signal });
}

const view = { longitude: -97.5, latitude: 35.5, zoom: 8 } as const;

/** Returns the pixel of a place in a picture of this view. */
function pixelOf(longitude: number, latitude: number, widthPx = 640, heightPx = 480): [number, number] {
  const worldPx = 512 * 2 ** view.zoom;
  return [
    Math.floor((mercatorX(longitude) - mercatorX(view.longitude)) * worldPx + widthPx / 2),
    Math.floor((mercatorY(latitude) - mercatorY(view.latitude)) * worldPx + heightPx / 2),
  ];
}

/** The middle of the cell in the northwest of the block, and of one outside it. */
const cellDeg = (sampleBounds[2] - sampleBounds[0]) / samplePx;
const inside = pixelOf(sampleBounds[0] + 9.5 * cellDeg, sampleBounds[3] - 9.5 * cellDeg);

describe.skipIf(pillowPython === undefined)("Pillow reads", () => {
  test("a picture of each revision, with the exact colors of its classes and its texts", async () => {
    const trial = await openTrial();
    const files = await write(trial, "png", { sequences: [2, 1], layers: ["mrms-mesh"], picture: { view } });
    expect(files.map(({ file }) => file)).toEqual(
      [2, 1].map((sequence) => join(trial.out, `storm-${sequence}.png`)),
    );
    const [second, first] = files.map(({ file }) => readWithPillow(file, [inside]));
    expect(second).toMatchObject({ format: "PNG", size: [640, 480] });
    expect(second!.frames[0]!.colors).toEqual([twoInches]);
    expect(first!.frames[0]!.colors).toEqual([oneInch]);
    expect(second!.texts.Description).toMatch(
      /^Synthetic: these storms never happened\. Revision 2 of 3, observed 20 May 2024, 22:02:40 UTC/,
    );
    expect(second!.texts).toMatchObject({
      Software: "Echotop",
      Title: "Plains hail (synthetic): Hail size (MESH)",
    });
    expect(second!.texts.Disclaimer).toMatch(/not a warning source/i);
    expect(JSON.parse(second!.texts["echotop:picture"]!)).toMatchObject({
      format: "echotop-picture",
      maps: [
        {
          event: { id: "plains", nature: "synthetic" },
          revision: { sequence: 2, id: files[0]!.revisionIds[0], observedAt: "2024-05-20T22:02:40Z" },
          layers: [{ id: "mrms-mesh" }],
        },
      ],
    });
  });

  test.each(["gif", "webp"] as const)(
    "a %s with a frame for the missing window, and the last one longer",
    async (format) => {
      const trial = await openTrial();
      const [file] = await write(trial, format, { layers: ["mrms-mesh"], picture: { view } });
      const reading = readWithPillow(file!.file, [inside]);
      expect(reading).toMatchObject({ format: format.toUpperCase(), size: [640, 480], loop: 0 });
      expect(reading.frames.map(({ durationMs }) => durationMs)).toEqual([250, 250, 250, 1500]);
      const [first, second, gap, last] = reading.frames.map(({ colors }) => colors[0]!);
      expect([first, second, last]).toEqual([oneInch, twoInches, oneInch]);
      expect([oneInch, twoInches]).not.toContainEqual(gap);
      const text = reading.texts.comment ?? reading.texts.xmp!;
      expect(text).toContain("Synthetic: these storms never happened");
      for (const id of file!.revisionIds) expect(text).toContain(id);
      expect(file!.sha256).toBe(createHash("sha256").update(readFileSync(file!.file)).digest("hex"));
    },
  );

  test("a loop in the order of the list, as fast as asked for", async () => {
    const trial = await openTrial();
    const picture = { view, framesPerSecond: 1 };
    const [file] = await write(trial, "webp", { sequences: [2, 1], layers: ["mrms-mesh"], picture });
    const { frames } = readWithPillow(file!.file, [inside]);
    expect(frames.map(({ colors }) => colors[0])).toEqual([twoInches, oneInch]);
    expect(frames.map(({ durationMs }) => durationMs)).toEqual([1000, 1500]);
  });

  test("hail over reflectivity", async () => {
    const trial = await openTrial();
    const east = pixelOf(sampleBounds[0] + 9.5 * cellDeg, sampleBounds[3] - 9.5 * cellDeg);
    const [both] = await write(trial, "png", { sequences: [2], picture: { view } });
    expect(readWithPillow(both!.file, [east]).frames[0]!.colors).toEqual([twoInches]);
    const [echo] = await write(trial, "png", {
      sequences: [2],
      layers: ["mrms-reflectivity"],
      picture: { view },
    });
    expect(readWithPillow(echo!.file, [east]).frames[0]!.colors).toEqual([sixty]);
  });

  test.each([
    [320, 240],
    [3840, 2160],
    [1080, 1920],
  ])("a picture of %d by %d pixels", async (widthPx, heightPx) => {
    const trial = await openTrial();
    const probe = pixelOf(
      sampleBounds[0] + 9.5 * cellDeg,
      sampleBounds[3] - 9.5 * cellDeg,
      widthPx,
      heightPx,
    );
    const layers = ["mrms-mesh"] as const;
    const [file] = await write(trial, "png", {
      sequences: [2],
      layers,
      picture: { view, widthPx, heightPx },
    });
    expect(readWithPillow(file!.file, [probe])).toMatchObject({
      size: [widthPx, heightPx],
      frames: [{ colors: [twoInches] }],
    });
  });
});

describe("an export", () => {
  test("gives the same bytes each time", async () => {
    const trial = await openTrial();
    const [first] = await write(trial, "gif", { sequences: [1, 2] });
    const [second] = await write(trial, "gif", { sequences: [1, 2], out: join(trial.out, "again.gif") });
    expect(second!.sha256).toBe(first!.sha256);
  });

  test.each([
    ["an unknown event", { eventId: "nowhere" }],
    ["an unknown revision", { sequences: [1, 9] }],
  ])("of %s leaves no file", async (_what, wish) => {
    const trial = await openTrial();
    for (const format of ["png", "gif", "webp"] as const) {
      await expect(write(trial, format, wish)).rejects.toMatchObject({ code: "not-found" });
    }
    expect(readdirSync(trial.out)).toEqual([]);
  });

  test("of a layer that no revision has is refused; one that some lack says so", async () => {
    const trial = await openTrial();
    const other = { id: "echoes", label: "Echoes" };
    await trial.add(other, { minute: 0, values: { "mrms-reflectivity": 62 } });
    const wish = { eventId: other.id, layers: ["mrms-mesh"] } as const;
    await expect(write(trial, "png", wish)).rejects.toMatchObject({ code: "invalid-input" });
    expect(readdirSync(trial.out)).toEqual([]);
    await trial.add(other, { minute: 2, values: { "mrms-reflectivity": 62, "mrms-mesh": 30 } });
    const files = await write(trial, "png", wish);
    expect(files).toHaveLength(2);
  });

  test.each(["png", "gif", "webp"] as const)("of %s that is interrupted leaves no file", async (format) => {
    const trial = await openTrial();
    const stop = new AbortController();
    const frames = {
      read: async (id: string) => {
        const bytes = await trial.frames.read(id);
        stop.abort();
        return bytes;
      },
    };
    const interrupted = write(
      { ...trial, frames: frames as BriefingTrial["frames"] },
      format,
      {},
      stop.signal,
    );
    await expect(interrupted).rejects.toMatchObject({ name: "AbortError" });
    expect(readdirSync(trial.out)).toEqual([]);
  });

  test("without a stored frame leaves neither files nor folders", async () => {
    const trial = await openTrial();
    let reads = 0;
    const frames = {
      read: (id: string) => (++reads > 3 ? Promise.resolve(undefined) : trial.frames.read(id)),
    };
    const out = join(trial.out, "new", "folder", "storm.png");
    const failed = write({ ...trial, frames: frames as BriefingTrial["frames"] }, "png", { out });
    await expect(failed).rejects.toMatchObject({ code: "frame-missing" });
    expect(readdirSync(trial.out)).toEqual([]);
  });

  test("into a folder's place fails, and keeps what is there", async () => {
    const trial = await openTrial();
    const out = join(trial.out, "storm.png");
    mkdirSync(out);
    await expect(write(trial, "png", { sequences: [1], out })).rejects.toMatchObject({
      code: "storage-failed",
    });
    writeFileSync(join(trial.out, "file"), "");
    const below = join(trial.out, "file", "storm.png");
    await expect(write(trial, "png", { sequences: [1], out: below })).rejects.toMatchObject({
      code: "storage-failed",
    });
    expect(existsSync(out)).toBe(true);
  });
});
