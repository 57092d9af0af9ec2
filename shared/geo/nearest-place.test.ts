import { describe, expect, test } from "vitest";
import { findNearestPlace, toPlaceWords } from "./nearest-place.ts";

const fortDodge = { name: "Fort Dodge", longitude: -94.17, latitude: 42.5, zoom: 6 };
const otho = { name: "Otho", longitude: -94.15, latitude: 42.42, zoom: 11 };

describe("the nearest place", () => {
  test("is described in miles first, then kilometers, with the direction from the place", () => {
    const nearest = findNearestPlace([fortDodge], [-94.17, 42.3])!;
    expect(toPlaceWords(nearest)).toBe("14 mi (22 km) S of Fort Dodge");
    expect(toPlaceWords(nearest, "Fort Dodge, IA")).toBe("14 mi (22 km) S of Fort Dodge, IA");
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
    const equator = { name: "Null", longitude: 0, latitude: 0 };
    expect(findNearestPlace([equator], [east, north])?.direction).toBe(direction);
  });

  test("is a candidate", () => {
    const findAt = (zoom: number): string | undefined =>
      findNearestPlace([fortDodge, otho], [-94.15, 42.41], { isCandidate: (place) => place.zoom <= zoom })
        ?.place.name;
    expect(findAt(7)).toBe("Fort Dodge");
    expect(findAt(11)).toBe("Otho");
  });

  test("has no direction if the point is in it", () => {
    expect(toPlaceWords(findNearestPlace([fortDodge], [-94.171, 42.5])!)).toBe("at Fort Dodge");
    const twoKmEast = findNearestPlace([fortDodge], [-94.17 + 0.0246, 42.5])!;
    expect(toPlaceWords(twoKmEast)).toBe("1 mi (2 km) E of Fort Dodge");
  });

  test("is undefined if all are far away, or farther than asked", () => {
    expect(findNearestPlace([fortDodge], [-60, 30])).toBeUndefined();
    expect(findNearestPlace([], [-94, 42])).toBeUndefined();
    expect(findNearestPlace([fortDodge], [-94.17, 42.3], { withinKm: 22 })).toBeUndefined();
  });
});
