import { describe, expect, test } from "vitest";
import { findNearestPlace, placeWords, type NamedPlace } from "./nearest-place.ts";

const fortDodge: NamedPlace = { name: "Fort Dodge", coordinate: [-94.17, 42.5], zoom: 6 };
const otho: NamedPlace = { name: "Otho", coordinate: [-94.15, 42.42], zoom: 11 };

describe("the nearest place", () => {
  test("is told with distance and direction from it", () => {
    const nearest = findNearestPlace([fortDodge], [-94.17, 42.3], 7)!;
    expect(placeWords(nearest)).toBe("22 km S of Fort Dodge");
  });

  test.each<[number, number, string]>([
    [1, 0, "E"],
    [1, 1, "NE"],
    [0, 1, "N"],
    [-1, 1, "NW"],
    [-1, 0, "W"],
    [-1, -1, "SW"],
    [0, -1, "S"],
    [1, -1, "SE"],
  ])("%d east and %d north of it is %s of it", (east, north, direction) => {
    const equator: NamedPlace = { name: "Null", coordinate: [0, 0], zoom: 0 };
    expect(findNearestPlace([equator], [east, north], 5)?.direction).toBe(direction);
  });

  test("is one that the map names at this zoom", () => {
    expect(findNearestPlace([fortDodge, otho], [-94.15, 42.41], 7)?.name).toBe("Fort Dodge");
    expect(findNearestPlace([fortDodge, otho], [-94.15, 42.41], 11)?.name).toBe("Otho");
  });

  test("is said without a direction where the point is in it", () => {
    expect(placeWords(findNearestPlace([fortDodge], [-94.171, 42.5], 7)!)).toBe("at Fort Dodge");
  });

  test("is none where all are far away", () => {
    expect(findNearestPlace([fortDodge], [-60, 30], 7)).toBeUndefined();
    expect(findNearestPlace([], [-94, 42], 7)).toBeUndefined();
  });
});
