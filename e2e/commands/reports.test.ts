// `echotop reports` on an event with planted hits, misses and places that are not covered: the lines against loops over
// the cells of the files, with distances by another formula.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  echotopProgram,
  makeTemporaryDirectory,
  removeDirectory,
  runCommand,
} from "../../electron/support/host-process.ts";
import { plantedEvent, plantReports, type PlantedReport } from "../support/planted-reports.ts";

let root: string;
let data: string;

beforeAll(async () => {
  root = makeTemporaryDirectory("reports");
  data = join(root, "data");
  await plantReports(root, ["--data", data]);
});

afterAll(() => {
  removeDirectory(root);
});

const write = (name: string, ...lines: readonly string[]): string => {
  const path = join(root, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
};
const ask = (...args: readonly string[]) => runCommand(["reports", plantedEvent.id, "--data", data, ...args]);

const spc = "Time,Size,Location,County,State,Lat,Lon,Comments";
const toSpc = ({ at, size, lon, lat }: PlantedReport): string =>
  `${at.slice(11, 16).replace(":", "")},${size * 100},Here,There,OK,${lat},${lon},planted`;
const toFeature = ({ at, size, lon, lat }: PlantedReport): object => ({
  type: "Feature",
  geometry: { type: "Point", coordinates: [lon, lat] },
  properties: { type: "H", typetext: "HAIL", magnitude: size.toFixed(2), valid: at },
});

describe("planted reports", () => {
  test("have the planted verdicts, classes, distances, times and sequences, from every public form", async () => {
    const { planted, totals } = plantedEvent;
    const expected = [...planted.map(({ line }) => line), { totals }];
    const files = [
      write("240520_rpts_hail.csv", spc, ...planted.map(toSpc)),
      write(
        "lsr.csv",
        "VALID,VALID2,LAT,LON,MAG,WFO,TYPECODE,TYPETEXT,CITY,COUNTY,STATE,SOURCE,REMARK",
        `${planted[0]!.at.replaceAll(/[-:TZ]/g, "").slice(0, 12)},,35,-98,60,OUN,G,TSTM WND GST,,,,,`,
        ...planted.map(
          ({ at, lon, lat, size }) =>
            `${at.replaceAll(/[-:TZ]/g, "").slice(0, 12)},,${lat},${lon},${size},OUN,H,HAIL,,,,,`,
        ),
      ),
      write("lsr.geojson", JSON.stringify({ type: "FeatureCollection", features: planted.map(toFeature) })),
    ];
    for (const file of files) {
      const { status, lines, stderr } = await ask("--file", file);
      expect(status, stderr).toBe(0);
      expect(lines).toEqual(expected);
    }
    const all = await ask(...files.flatMap((file) => ["--file", file]));
    expect(all.lines).toHaveLength(3 * planted.length + 1);
    expect(all.lines.at(-1)).toEqual({
      totals: Object.fromEntries(Object.entries(totals).map(([name, count]) => [name, 3 * count])),
    });
  });

  test("are compared with what was known, if a sequence is given", async () => {
    const { planted, corrected } = plantedEvent;
    const file = write(
      "known.geojson",
      JSON.stringify({ type: "FeatureCollection", features: planted.map(toFeature) }),
    );
    const { lines } = await ask("--file", file, "--known-at", String(corrected.sequence - 1));
    expect(lines[corrected.report]).toMatchObject({ verdict: corrected.before });
    expect(planted[corrected.report]!.line.verdict).toBe(corrected.after);
  });

  test("are rows of CSV, with the totals as a message", async () => {
    const { planted, totals } = plantedEvent;
    const file = write("240520_rpts.csv", spc, ...planted.map(toSpc));
    const args = ["reports", plantedEvent.id, "--data", data, "--file", file, "--format", "csv"];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [echotopProgram, ...args]);
    const rows = stdout.trimEnd().split("\r\n");
    expect(rows).toHaveLength(1 + planted.length);
    expect(rows[0]).toMatch(
      /^at,lon,lat,sizeMm,lower5,upper5,distanceKm5,observedAt5,sequence5,lower10,.*,verdict$/,
    );
    planted.forEach(({ line }, index) => {
      const cells = rows[1 + index]!.split(",");
      const [, , twenty] = line.nearest;
      expect(cells.slice(14, 19)).toEqual(
        [...(twenty?.class ?? [null, null]), twenty?.distanceKm, twenty?.observedAt, twenty?.sequence].map(
          (cell) => String(cell ?? ""),
        ),
      );
      expect(cells.at(-1)).toBe(line.verdict);
    });
    expect(stderr).toContain(
      `${totals.reports} reports: ${totals.hit} hit, ${totals.miss} miss, ${totals["not-covered"]} not covered.`,
    );
  });
});

describe("files", () => {
  test("with a heading alone give totals of nothing", async () => {
    const { status, lines } = await ask("--file", write("240521_rpts_hail.csv", spc));
    expect(status).toBe(0);
    expect(lines).toEqual([{ totals: { reports: 0, hit: 0, miss: 0, "not-covered": 0 } }]);
  });

  test("that cannot be read are named, and no line is printed", async () => {
    const good = write("240520_rpts_filtered_hail.csv", spc, ...plantedEvent.planted.map(toSpc));
    const wrong = write("240522_rpts_hail.csv", spc, "2117,large,A,B,OK,35,-97,");
    const missing = join(root, "missing.csv");
    const binary = join(root, "binary.csv");
    writeFileSync(binary, Uint8Array.of(0x54, 0xff, 0xfe, 0x00));
    const { status, lines, stderr } = await ask(
      ...[good, wrong, missing, binary, root].flatMap((file) => ["--file", file]),
    );
    expect(status).toBe(1);
    expect(lines).toEqual([]);
    expect(stderr).toContain(`${wrong}, line 2: Size "large" is not a number.`);
    expect(stderr).toContain(`${missing}: there is no such file.`);
    expect(stderr).toContain(`${binary}: it is not text in UTF-8.`);
    expect(stderr).toContain(`${root}: it is a folder.`);
    expect(stderr).not.toContain(good);
  });

  test("and a known event are required", async () => {
    expect((await ask()).status).toBe(2);
    const file = write("240523_rpts_hail.csv", spc);
    const { status, lines } = await runCommand(["reports", "nowhere", "--data", data, "--file", file]);
    expect([status, lines]).toEqual([1, []]);
  });
});

test("a frame that is damaged is named, and a withdrawn correction no longer counts", async () => {
  const { planted, corrected } = plantedEvent;
  const file = write(
    "repair.geojson",
    JSON.stringify({ type: "FeatureCollection", features: planted.map(toFeature) }),
  );
  const known = await runCommand([
    "known",
    plantedEvent.id,
    "--at",
    String(corrected.sequence),
    "--data",
    data,
  ]);
  const { layers } = known.lines.find(({ sequence }) => sequence === corrected.sequence) as {
    layers: { frameId: string }[];
  };
  const { frameId } = layers[0]!;
  const frame = join(data, "frames", frameId.slice(0, 2), `${frameId}.png`);
  const bytes = readFileSync(frame);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(frame, bytes);
  const damaged = await ask("--file", file);
  expect(damaged.status).toBe(1);
  expect(damaged.stderr).toContain("The hail frame of 2024-05-20T21:10:00Z cannot be read");
  expect(damaged.lines).toHaveLength(planted.length + 1);
  const repaired = await runCommand(["verify", "--repair", "--data", data]);
  expect(repaired.status, repaired.stderr).toBe(0);
  const { status, lines } = await ask("--file", file);
  expect(status).toBe(0);
  expect(lines[corrected.report]).toMatchObject({ verdict: corrected.before });
});
