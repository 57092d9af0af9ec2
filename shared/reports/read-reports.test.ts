// Reads files of storm reports in the public forms, written here after them, and refuses damaged ones by name and line.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAppError } from "../app-error.ts";
import { overlayLimits } from "../overlays/overlay.ts";
import { isReportsFile, readReports } from "./read-reports.ts";
import { toReportsOverlay } from "./reports-overlay.ts";

const hail = "Time,Size,Location,County,State,Lat,Lon,Comments";
const wind = "Time,Speed,Location,County,State,Lat,Lon,Comments";
const tornado = "Time,F_Scale,Location,County,State,Lat,Lon,Comments";
const iem =
  "VALID,VALID2,LAT,LON,MAG,WFO,TYPECODE,TYPETEXT,CITY,COUNTY,STATE,SOURCE,REMARK,UGC,UGCNAME,QUALIFIER";

const at = (instant: string): number => Date.parse(instant);
const lines = (...rows: readonly string[]): string => rows.join("\n");
const whyOf = (text: string, file: string): string => {
  try {
    readReports(text, file);
  } catch (error) {
    if (isAppError(error, "source-invalid")) return error.detail;
    throw error;
  }
  return "it was read";
};

describe("a daily file of the Storm Prediction Center", () => {
  test("has sizes in hundredths of an inch, and a day from 12 to 12 UTC", () => {
    const file = lines(
      hail,
      "1200,100,3 W Norman,Cleveland,OK,35.22,-97.49,(OUN)",
      "2359,175,Moore,Cleveland,OK,35.34,-97.48,(OUN)",
      "0000,088,Noble,Cleveland,OK,35.14,-97.39,(OUN)",
      "1159,200,Purcell,McClain,OK,35.01,-97.36,(OUN)",
    );
    expect(readReports(file, "/home/someone/240531_rpts_hail.csv")).toMatchObject([
      { kind: "hail", atMs: at("2024-05-31T12:00Z"), sizeMm: 25.4, place: "3 W Norman, Cleveland, OK" },
      { atMs: at("2024-05-31T23:59Z"), sizeMm: 44.45, coordinate: [-97.48, 35.34] },
      { atMs: at("2024-06-01T00:00Z"), sizeMm: 22.352 },
      { atMs: at("2024-06-01T11:59Z"), sizeMm: 50.8 },
    ]);
  });

  test("may have all kinds, each under its own heading, and comments with commas and quotation marks", () => {
    const file = `\uFEFF${[
      ...[tornado, '2000,EF1,Noble,Cleveland,OK,35.14,-97.39,"Brief, rope tornado. (OUN)"', ""],
      ...[wind, "2110,UNK,Moore,Cleveland,OK,35.34,-97.48,Limbs down, several. (OUN)"],
      "2111,60,Moore,Cleveland,OK,35.34,-97.48,(OUN)",
      ...[hail, '2117,UNK,Norman,Cleveland,OK,35.22,-97.44,"BB" sized, and larger. (OUN)', ""],
    ].join("\r\n")}`;
    expect(readReports(file, "240520_rpts.csv")).toMatchObject([
      { kind: "tornado", remark: "Brief, rope tornado. (OUN)" },
      { kind: "wind", windKt: undefined, remark: "Limbs down, several. (OUN)" },
      { kind: "wind", windKt: 52.1 },
      { kind: "hail", sizeMm: undefined, remark: '"BB" sized, and larger. (OUN)' },
    ]);
  });

  test("of the last century is of its year", () => {
    const row = lines(hail, "0130,100,A,B,OK,35,-97,");
    expect(readReports(row, "990503_rpts_hail.csv")[0]?.atMs).toBe(at("1999-05-04T01:30Z"));
    expect(readReports(row, "240228_rpts_hail.csv")[0]?.atMs).toBe(at("2024-02-29T01:30Z"));
  });

  test("with a size of 0 has hail whose size was not told", () => {
    const [report] = readReports(lines(hail, "2117,0,A,B,OK,35,-97,"), "240520_rpts_hail.csv");
    expect(report).toMatchObject({ kind: "hail", sizeMm: undefined });
  });

  test("with a heading alone has no reports", () => {
    expect(readReports(`${hail}\n`, "240520_rpts_hail.csv")).toEqual([]);
  });

  test.each([
    ["2460,100,A,B,OK,35,-97,", 'Time "2460" is not hours and minutes'],
    ["noon,100,A,B,OK,35,-97,", 'Time "noon" is not hours and minutes'],
    ["2117,1.75,A,B,OK,35,-97,", "Size 1.75 is not a whole number of hundredths of an inch"],
    ["2117,large,A,B,OK,35,-97,", 'Size "large" is not a number'],
    ["2117,9900,A,B,OK,35,-97,", "a hailstone of 99 in is not possible"],
    ["2117,-100,A,B,OK,35,-97,", "a hailstone of -1 in is not possible"],
    ["2117,100,A,B,OK,95,-97,", "latitude 95 is not a place"],
    ["2117,100,A,B,OK,35,,", "longitude is missing, and is not a place"],
    ["2117,100,A,B", "4 columns are too few"],
  ])("is refused for %s, with the line", (row, why) => {
    const good = "2117,100,A,B,OK,35,-97,";
    expect(whyOf(lines(hail, good, row, good), "240520_rpts_hail.csv")).toBe(
      `240520_rpts_hail.csv, line 3: ${why}.`,
    );
  });

  test("needs the day in its name", () => {
    expect(whyOf(lines(hail, "2117,100,A,B,OK,35,-97,"), "hail.csv")).toMatch(
      /^hail\.csv, line 2: the day is/,
    );
    expect(whyOf(lines(hail, "2117,100,A,B,OK,35,-97,"), "241340_rpts_hail.csv")).toContain("is not a day");
  });
});

describe("reports of the Iowa Environmental Mesonet", () => {
  test("as CSV are hail by their type code, in inches, at a time in UTC", () => {
    const file = lines(
      iem,
      '202405202117,2024/05/20 21:17,35.22,-97.49,1.75,OUN,H,HAIL,3 W Norman,Cleveland,OK,Trained Spotter,"Golf ball,',
      'and larger.",OKC027,Cleveland,M',
      "202405202120,2024/05/20 21:20,35.30,-97.40,None,OUN,D,TSTM WND DMG,Moore,Cleveland,OK,Public,,OKC027,Cleveland,",
      "202405202121,2024/05/20 21:21,35.30,-97.40,60,OUN,G,TSTM WND GST,Moore,Cleveland,OK,Public,,OKC027,Cleveland,",
      "202405202122,2024/05/20 21:22,35.30,-97.40,None,OUN,H,HAIL,Moore,Cleveland,OK,Public,,OKC027,Cleveland,",
      "202405202123,2024/05/20 21:23,35.30,-97.40,None,OUN,F,FLASH FLOOD,Moore,Cleveland,OK,Public,,OKC027,Cleveland,",
    );
    expect(readReports(file, "lsr.csv")).toMatchObject([
      {
        ...{ kind: "hail", atMs: at("2024-05-20T21:17Z"), sizeMm: 44.45, coordinate: [-97.49, 35.22] },
        ...{
          place: "3 W Norman, Cleveland, OK",
          source: "Trained Spotter",
          remark: "Golf ball,\nand larger.",
        },
      },
      { kind: "wind", windKt: undefined },
      { kind: "wind", windKt: 52.1 },
      { kind: "hail", sizeMm: undefined },
      { kind: "other" },
    ]);
  });

  test("as CSV are refused by line, counted over rows of several lines", () => {
    const file = lines(
      iem,
      '202405202117,,35.22,-97.49,1.75,OUN,H,HAIL,,,,,"two',
      'lines",,,',
      "202405202199,,35.22,-97.49,1.75,OUN,H,HAIL,,,,,,,,",
    );
    expect(whyOf(file, "lsr.csv")).toBe('lsr.csv, line 4: VALID "202405202199" is not a time in UTC.');
    expect(whyOf(lines(iem, '202405202117,,35,-97,1,OUN,H,HAIL,,,,,"open'), "lsr.csv")).toContain("line 2");
  });

  test("as GeoJSON are read from points and properties", () => {
    const feature = (
      properties: object,
      coordinates: readonly number[] | null = [-97.49, 35.22],
    ): object => ({
      type: "Feature",
      geometry: coordinates && { type: "Point", coordinates },
      properties,
    });
    const collect = (...features: readonly object[]): string =>
      JSON.stringify({ type: "FeatureCollection", features });
    const file = collect(
      feature({
        ...{ type: "H", typetext: "HAIL", magnitude: "1.00", valid: "2024-05-20T21:17:00Z", unit: "Inch" },
        ...{ city: "Norman", county: "Cleveland", st: "OK", source: "Public", remark: "Quarter." },
      }),
      feature({ type: "T", typetext: "TORNADO", magnitude: null, valid: "2024-05-20T21:20Z" }),
      feature({ type: "H", magf: 2, valid: "2024-05-20 21:20", lon: "-97.4", lat: "35.1" }, null),
    );
    expect(readReports(file, "lsr.geojson")).toMatchObject([
      { kind: "hail", atMs: at("2024-05-20T21:17Z"), sizeMm: 25.4, place: "Norman, Cleveland, OK" },
      { kind: "tornado", atMs: at("2024-05-20T21:20Z") },
      { kind: "hail", sizeMm: 50.8, coordinate: [-97.4, 35.1] },
    ]);
    expect(isReportsFile(file)).toBe(true);
    expect(toReportsOverlay(readReports(file, "lsr.geojson"), "reports-geojson")).toMatchObject({
      bounds: [-97.49, 35.1, -97.4, 35.22],
      shapes: [
        {
          ...{ label: "1.00", text: "Norman, Cleveland, OK. Public. Quarter.", report: { kind: "hail" } },
          ...{ fromMs: at("2024-05-20T21:17Z"), toMs: at("2024-05-20T21:17Z") },
          geometry: { type: "Point", coordinates: [-97.49, 35.22] },
        },
        { label: "tornado" },
        { label: "2.00" },
      ],
    });
    const spc = collect(
      feature({ UTC_DATETIME: at("2024-05-20T21:17Z"), HAIL_SIZE: 175, LOCATION: "Norman", STATE: "OK" }),
      feature({ UTC_DATETIME: "2024-05-20 21:17:00", HAIL_SIZE: 1.75, COMMENTS: "Golf ball." }),
      feature({ Time: "0017", Size: "100", Location: "Noble" }),
    );
    expect(readReports(spc, "240520_rpts_hail.geojson")).toMatchObject([
      { kind: "hail", atMs: at("2024-05-20T21:17Z"), sizeMm: 44.45, place: "Norman, OK" },
      { atMs: at("2024-05-20T21:17Z"), sizeMm: 44.45, remark: "Golf ball." },
      { atMs: at("2024-05-21T00:17Z"), sizeMm: 25.4, place: "Noble" },
    ]);
    expect(whyOf(collect(feature({ type: "H", valid: "soon" })), "x.geojson")).toBe(
      'x.geojson, feature 1: valid "soon" is not a time in UTC.',
    );
    expect(whyOf(collect(feature({ name: "a school" })), "x.geojson")).toContain("it has no time");
  });
});

describe("any other file", () => {
  test.each(["", "a,b,c\n1,2,3", "No results found for query.", "{", '{"type":"Topology"}', "\u0000\u0001"])(
    "such as %j is refused by name",
    (text) => {
      expect(whyOf(text, "some.csv")).toMatch(/^some\.csv: it is not/);
      expect(isReportsFile(text)).toBe(false);
    },
  );

  test("is refused at once for a number of as many digits as a file may have", () => {
    const digits = "1".repeat(4_000_000);
    const why = whyOf(`${hail}\n2117,${digits}x,A,B,OK,35,-97,\n`, "240520_rpts_hail.csv");
    expect(why).toMatch(/^240520_rpts_hail\.csv, line 2: Size "1{40}…" is not a number/);
  });

  test("is refused if it is too large, in bytes or in reports", () => {
    expect(whyOf(`${hail}\n${" ".repeat(overlayLimits.bytes)}`, "x.csv")).toBe(
      "x.csv: it is larger than 5 MB.",
    );
    const row = "2117,100,A,B,OK,35,-97,\n";
    const rows = `${hail}\n${row.repeat(overlayLimits.shapes)}`;
    expect(readReports(rows, "240520_rpts.csv")).toHaveLength(overlayLimits.shapes);
    expect(whyOf(rows + row, "240520_rpts.csv")).toBe("240520_rpts.csv: it has more than 20,000 reports.");
  });

  test("however it is damaged, is read or refused, and never has a number that is none", () => {
    const sound = [
      lines(hail, '2117,100,Norman,Cleveland,OK,35.22,-97.44,"a, b" (OUN)', wind, "2117,60,A,B,OK,35,-97,"),
      lines(iem, '202405202117,,35.22,-97.49,1.75,OUN,H,HAIL,Norman,Cleveland,OK,Public,"a\nb",,,'),
      '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-97,35]},"properties":{"type":"H","magnitude":"1.0","valid":"2024-05-20T21:17Z"}}]}',
    ];
    const edit = fc.tuple(
      fc.nat(400),
      fc.nat(12),
      fc.oneof(
        fc.constantFrom(",", '"', "\n", "\r", "-", "1e9", "NaN", "9".repeat(30), "{", "\u0000"),
        fc.string(),
      ),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...sound),
        fc.array(edit, { minLength: 1, maxLength: 6 }),
        (text, edits) => {
          const damaged = edits.reduce(
            (whole, [start, length, by]) => whole.slice(0, start) + by + whole.slice(start + length),
            text,
          );
          const why = whyOf(damaged, "240520_rpts.csv");
          if (why !== "it was read") {
            expect(why).toMatch(/^240520_rpts\.csv[,:] /);
            return;
          }
          for (const { atMs, coordinate, sizeMm } of readReports(damaged, "240520_rpts.csv")) {
            expect([atMs, ...coordinate, sizeMm ?? 1].every(Number.isFinite)).toBe(true);
            expect(Math.abs(coordinate[1])).toBeLessThanOrEqual(90);
          }
        },
      ),
      { seed: 17, numRuns: 3000 },
    );
  });
});
