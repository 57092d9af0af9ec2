import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { Place } from "../../../../shared/contract/place.ts";
import { buildGazetteer } from "./build-gazetteer.ts";
import { GazetteerData } from "./gazetteer-data.ts";
import { createPlaceIndex, type PlaceIndex } from "./place-index.ts";
import type { FoundPlace } from "./place-provider.ts";

let data: GazetteerData;
let index: PlaceIndex;

beforeAll(async () => {
  data = GazetteerData.parse(JSON.parse(JSON.stringify(await buildGazetteer())));
  index = createPlaceIndex(data);
});

function search(query: string): FoundPlace[] {
  return index.search(query, 10);
}

function first(query: string): string {
  const [place] = search(query);
  return place ? `${place.label}; ${place.context}` : "";
}

describe("identifiers", () => {
  test("find their airport or radar first, with and without the country's letter", () => {
    expect(first("KOKC")).toMatch(/^Will Rogers .*; Airport OKC · Oklahoma City, Oklahoma$/);
    expect(first("ktlx")).toBe("KTLX; WSR-88D radar · Oklahoma City, Oklahoma");
    expect(first("TLX")).toBe("KTLX; WSR-88D radar · Oklahoma City, Oklahoma");
    expect(search("KTLX")).toHaveLength(1);
  });

  test.each(["OKC", "okc"])("find the city of the airport too: %s", (query) => {
    const found = search(query);
    expect(found[0]).toMatchObject({ label: "Oklahoma City", kind: "city" });
    expect(found.map(({ kind }) => kind)).toContain("airport");
  });

  test("and short names do not take the place of states and cities", () => {
    expect(first("nyc")).toMatch(/^New York City/);
    expect(search("la").map(({ label }) => label)).toEqual(
      expect.arrayContaining(["Louisiana", "Los Angeles"]),
    );
    expect(first("norman ok")).toBe("Norman; Cleveland County, Oklahoma");
  });

  test("all find their site among the first", () => {
    const lost = [...data.radars, ...data.airports]
      .filter(({ id }) => !search(id).some((place) => place.id.endsWith(`:${id}`)))
      .map(({ id }) => id);
    expect(lost).toEqual([]);
  });
});

describe("ZIP codes", () => {
  test("are found whole, by their beginning, and with four more digits", () => {
    expect(search("73072")).toEqual([
      expect.objectContaining({
        id: "zip:73072",
        label: "73072",
        context: "ZIP code near Norman, Oklahoma",
        kind: "postal-code",
      }),
    ]);
    const [longitude, latitude] = search("73072")[0]!.coordinate;
    expect(Math.hypot(longitude + 97.49, latitude - 35.2)).toBeLessThan(0.1);
    expect(first("73072-1234")).toBe(first("73072"));
    expect(first("01001")).toBe("01001; ZIP code near Agawam, Massachusetts");
    expect(search("730").every(({ label }) => label.startsWith("730"))).toBe(true);
    expect(search("730")).toHaveLength(10);
    expect(search("00000")).toEqual([]);
    expect(search("73")).toEqual([]);
  });

  test("are more than 33,000, each at a place of the States and territories", () => {
    const { code, longitudeE3, latitudeE3 } = data.zips;
    expect(code.length).toBeGreaterThan(33_000);
    expect(code.every((value, at) => at === 0 || value > code[at - 1]!)).toBe(true);
    expect(latitudeE3.every((value) => value > -15_000 && value < 72_000)).toBe(true);
    expect(longitudeE3.every((value) => (value > -180_000 && value < -64_000) || value > 144_000)).toBe(true);
  });
});

describe("the gazetteer", () => {
  test("has every state and county, and cities in each", () => {
    expect(data.states).toHaveLength(56);
    expect(data.counties.length).toBeGreaterThan(3_200);
    expect(data.cities.name.length).toBeGreaterThan(16_500);
    expect(data.counties.every(({ state }) => state >= 0)).toBe(true);
    for (const postal of ["OK", "PR", "DC", "AK"]) {
      const state = data.states.findIndex((area) => area.postal === postal);
      expect(data.cities.state).toContain(state);
    }
  });

  test("nearly every city has its county and is inside the county's bounds", () => {
    const unknown = data.cities.county.filter((county) => county < 0);
    expect(unknown.length).toBeLessThan(data.cities.name.length / 100);
    const outside = data.cities.name.filter((_, city) => {
      const area = data.counties[data.cities.county[city]!];
      if (!area) return false;
      const [west, south, east, north] = area.bounds;
      const longitude = data.cities.longitudeE5[city]! / 1e5;
      const latitude = data.cities.latitudeE5[city]! / 1e5;
      const margin = 1e-4;
      return !(
        longitude >= west - margin &&
        longitude <= east + margin &&
        latitude >= south - margin &&
        latitude <= north + margin
      );
    });
    expect(outside).toEqual([]);
  });

  test("areas stay on one side of the antimeridian and contain their point", () => {
    const wrong = [...data.states, ...data.counties].filter(({ bounds, coordinate }) => {
      const [west, south, east, north] = bounds;
      const [longitude, latitude] = coordinate;
      const inside = longitude >= west && longitude <= east && latitude >= south && latitude <= north;
      return !inside || east - west > 60;
    });
    expect(wrong).toEqual([]);
  });
});

describe("search", () => {
  test.each([
    ["norman", "Norman; Cleveland County, Oklahoma"],
    ["NORMAN", "Norman; Cleveland County, Oklahoma"],
    ["norman ok", "Norman; Cleveland County, Oklahoma"],
    ["norman, oklahoma", "Norman; Cleveland County, Oklahoma"],
    ["norman okl", "Norman; Cleveland County, Oklahoma"],
    ["  norman ,ok", "Norman; Cleveland County, Oklahoma"],
    ["norman, ok, usa", "Norman; Cleveland County, Oklahoma"],
    ["norman cleveland", "Norman; Cleveland County, Oklahoma"],
    ["canon", "Cañon City; Fremont County, Colorado"],
    ["Cañon City", "Cañon City; Fremont County, Colorado"],
    ["can\u0303on city", "Cañon City; Fremont County, Colorado"],
    ["coeur d alene", "Coeur d'Alene; Kootenai County, Idaho"],
    ["coeur d'alene", "Coeur d'Alene; Kootenai County, Idaho"],
    ["coeur d’alene", "Coeur d'Alene; Kootenai County, Idaho"],
    ["coeur dalene", "Coeur d'Alene; Kootenai County, Idaho"],
    ["st louis", "St. Louis; Missouri"],
    ["St. Louis", "St. Louis; Missouri"],
    ["saint louis mo", "St. Louis; Missouri"],
    ["st paul", "Saint Paul; Ramsey County, Minnesota"],
    ["ft worth", "Fort Worth; Tarrant County, Texas"],
    ["mount vernon il", "Mount Vernon; Jefferson County, Illinois"],
    ["winston-salem", "Winston-Salem; Forsyth County, North Carolina"],
    ["winston salem", "Winston-Salem; Forsyth County, North Carolina"],
    ["washington dc", "Washington; District of Columbia"],
    ["washington d.c.", "Washington; District of Columbia"],
    ["bayamon", "Bayamón; Bayamón Municipio, Puerto Rico"],
    ["san juan pr", "San Juan; San Juan Municipio, Puerto Rico"],
    ["kapaa", "Kapa‘a; Kauai County, Hawaii"],
    ["ofallon", "O'Fallon; St. Charles County, Missouri"],
    ["oklahoma", "Oklahoma; United States"],
    ["ok", "Oklahoma; United States"],
    ["oklahoma city", "Oklahoma City; Oklahoma County, Oklahoma"],
    ["springfield mo", "Springfield; Greene County, Missouri"],
    ["portland me", "Portland; Cumberland County, Maine"],
    ["cleveland county ok", "Cleveland County; Oklahoma"],
    ["orleans parish", "Orleans Parish; Louisiana"],
    ["nome census", "Nome Census Area; Alaska"],
    ["washington cou", "Washington County; Oregon"],
    ["new orl", "New Orleans; Orleans Parish, Louisiana"],
    ["virginia beach", "Virginia Beach; Virginia"],
  ])("%j finds %s first", (query, expected) => {
    expect(first(query)).toBe(expected);
  });

  test.each([
    ["okalhoma city", "Oklahoma City; Oklahoma County, Oklahoma"],
    ["dallsa", "Dallas; Dallas County, Texas"],
    ["witchita", "Wichita; Sedgwick County, Kansas"],
    ["denver colroado", "Denver; Denver County, Colorado"],
    ["amarilo", "Amarillo; Potter County, Texas"],
    ["tlusa", "Tulsa; Tulsa County, Oklahoma"],
  ])("tolerates one typing error: %j finds %s", (query, expected) => {
    expect(first(query)).toBe(expected);
  });

  test("does not tolerate two errors, one in a short word, or one if there is a match", () => {
    expect(search("oklahmoa ctyi")).toEqual([]);
    expect(search("zqx")).toEqual([]);
    expect(
      search("normal").every(({ label, kind }) => label.startsWith("Normal") || kind === "airport"),
    ).toBe(true);
  });

  test.each([
    "norman tx",
    "ok norman",
    "!!",
    "  ",
    "\u0000\u0000",
    "🌪🌪",
    "東京",
    "x".repeat(160),
    "a ".repeat(80),
  ])("%j does not fail", (query) => {
    expect(search(query).length).toBeLessThanOrEqual(10);
  });

  test("a complete name comes before a larger town that only begins with it", () => {
    const labels = search("york").map(({ label }) => label);
    expect(labels[0]).toBe("York");
    expect(search("new york")[0]).toMatchObject({ kind: "state" });
    expect(search("new york")[1]).toMatchObject({ label: "New York City" });
  });

  test("sorts equal matches by population", () => {
    const [illinois, missouri] = [search("springfield il")[0], search("springfield mo")[0]];
    const all = search("springfield").map(({ id }) => id);
    expect(all.indexOf(missouri!.id)).toBeLessThan(all.indexOf(illinois!.id));
    expect(all[0]).not.toBe(illinois!.id);
  });

  test("states and counties have bounds, cities a point; ids differ", () => {
    const [state] = search("oklahoma");
    expect(state).toMatchObject({ id: "fips:40", kind: "state" });
    expect(state!.bounds![0][0]).toBeCloseTo(-103, 0);
    expect(state!.bounds![1][1]).toBeCloseTo(37, 0);
    const [city] = search("norman ok");
    expect(city).toMatchObject({ kind: "city", id: "geonames:4543762" });
    expect(city!.coordinate[0]).toBeCloseTo(-97.44, 1);
    expect(city!.coordinate[1]).toBeCloseTo(35.22, 1);
    expect(city).not.toHaveProperty("bounds");
  });

  test("every full name with its state finds a place of that name and state first", () => {
    const sample = fc.sample(fc.nat(data.cities.name.length - 1), { seed: 11, numRuns: 400 });
    for (const city of sample) {
      const name = data.cities.name[city]!;
      const state = data.states[data.cities.state[city]!]!;
      const [found] = search(`${name}, ${state.label}`);
      expect(found?.label.toLowerCase().replaceAll(/[^a-z]/g, ""), name).toContain(
        name
          .toLowerCase()
          .replaceAll(/[^a-z]/g, "")
          .slice(0, 3),
      );
      expect(found?.context, name).toContain(state.label);
    }
  });

  test("any text gets an answer of the contract without duplicates", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (query) => {
        const places = search(query);
        for (const place of places) Place.parse({ ...place, provider: "place-data" });
        expect(new Set(places.map(({ id }) => id)).size).toBe(places.length);
      }),
      { seed: 5, numRuns: 150 },
    );
  });
});
