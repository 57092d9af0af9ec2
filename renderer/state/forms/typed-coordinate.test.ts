import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Place } from "../../../shared/contract/index.ts";
import { parseTypedCoordinate, toTypedPlace } from "./typed-coordinate.ts";

describe("a typed coordinate", () => {
  test.each([
    "35.22, -97.44",
    "35.22 -97.44",
    "35.22,-97.44",
    "35.22 97.44",
    "35.22N 97.44W",
    "35.22n, 97.44w",
    "N35.22 W97.44",
    "97.44W 35.22N",
    "35.22° N, 97.44° W",
    "lat 35.22 lon −97.44",
    "35 13.2 N 97 26.4 W",
    "35°13.2′N 97°26.4′W",
    "35 13 12 N 97 26 24 W",
    "35°13'12\"N 97°26'24\"W",
    "35-13-12N 97-26-24W",
    "35:13:12 -97:26:24",
    "351312N0972624W",
    "LAT...LON 3522 9744",
  ])("is read from %s", (text) => {
    const [longitude, latitude] = parseTypedCoordinate(text)!;
    expect(longitude).toBeCloseTo(-97.44, 6);
    expect(latitude).toBeCloseTo(35.22, 6);
  });

  test("has whole minutes in the short form of aviation, and five digits west of 100 degrees in a warning", () => {
    expect(parseTypedCoordinate("35 13 N 97 26 W")).toEqual(parseTypedCoordinate("3513N09726W"));
    expect(parseTypedCoordinate("3513N 9726W")![1]).toBeCloseTo(35.2167, 4);
    expect(parseTypedCoordinate("4010 10455")).toEqual([-104.55, 40.1]);
  });

  test("is east or south where it says so", () => {
    expect(parseTypedCoordinate("13.45 N 144.79 E")).toEqual([144.79, 13.45]);
    expect(parseTypedCoordinate("13.45 +144.79")).toEqual([144.79, 13.45]);
    expect(parseTypedCoordinate("14.3 S 170.7 W")).toEqual([-170.7, -14.3]);
  });

  test.each([
    "",
    "73072",
    "Norman",
    "New Sweden",
    "SE",
    "29 Palms",
    "Route 66",
    "35.22",
    "35.22 -97.44 12",
    "91 97",
    "35 181",
    "35 61 N 97 26 W",
    "35.5 13 N 97 26 W",
    "35 N 97 N",
    "35 E 97 W",
    "-35 N 97 W",
    "35 -13 97 26",
    "405-555-1234",
    "73072-1234",
    "02139-4307",
    " 08540-1234 ",
  ])("is not read from %j", (text) => {
    expect(parseTypedCoordinate(text)).toBeUndefined();
  });

  test("is a place of the contract, named with two to four decimals", () => {
    const places = ["35.22 97.44", "35 13 N 97 26 W", "13.4567 +144.7"].map((text) =>
      toTypedPlace(parseTypedCoordinate(text)!),
    );
    expect(places.map(({ label }) => label)).toEqual([
      "35.22 N 97.44 W",
      "35.2167 N 97.4333 W",
      "13.4567 N 144.70 E",
    ]);
    for (const place of places) expect(Place.parse(place)).toEqual(place);
  });

  test("is the one that its four-digit form gives", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -9000, max: 9000 }),
        fc.integer({ min: -18000, max: 18000 }),
        (lat, lon) => {
          const text = `${(lat / 100).toFixed(2)} ${lon < 0 ? "" : "+"}${(lon / 100).toFixed(2)}`;
          const [longitude, latitude] = parseTypedCoordinate(text)!;
          expect(longitude).toBeCloseTo(lon / 100, 6);
          expect(latitude).toBeCloseTo(lat / 100, 6);
        },
      ),
      { seed: 13, numRuns: 300 },
    );
  });
});
