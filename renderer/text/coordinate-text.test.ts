import { expect, test } from "vitest";
import type { Coordinate } from "../../shared/contract/index.ts";
import { placeInNotation, placeToCopy, spokenPlace } from "./coordinate-text.ts";

const norman: Coordinate = [-97.4395, 35.2226];

test("a place reads in three notations", () => {
  expect(placeInNotation(norman, "decimal")).toBe("35.22 N 97.44 W");
  expect(placeInNotation(norman, "dms")).toBe("35°13′21″ N 97°26′22″ W");
  expect(placeInNotation(norman, "ddm")).toBe("35°13.4′ N 97°26.4′ W");
  expect(placeInNotation([8.5, -0.05], "ddm")).toBe("0°03.0′ S 8°30.0′ E");
});

test("rounding carries over to minutes and degrees", () => {
  expect(placeInNotation([-97.99999, 35.99999], "dms")).toBe("36°00′00″ N 98°00′00″ W");
  expect(placeInNotation([-97.99999, 35.0166], "ddm")).toBe("35°01.0′ N 98°00.0′ W");
});

test("a copied place is exact enough for another map", () => {
  expect(placeToCopy(norman, "decimal")).toBe("35.2226, -97.4395");
  expect(placeToCopy(norman, "dms")).toBe("35°13′21″ N 97°26′22″ W");
  expect(placeToCopy(norman, "ddm")).toBe("35°13.36′ N 97°26.37′ W");
});

test("signs are spoken as words", () => {
  expect(spokenPlace("35°13′21″ N 97°26′22″ W")).toBe(
    "35 degrees 13 minutes 21 seconds N 97 degrees 26 minutes 22 seconds W",
  );
});
