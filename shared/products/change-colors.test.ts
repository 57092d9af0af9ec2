import { describe, expect, test } from "vitest";
import { changeColors } from "./change-colors.ts";
import { toRgba } from "./palettes.ts";
import { colorDifference, toLab, visions, type Lab, type Vision } from "./support/color-difference.ts";

const darkLand = "#131b23";
/** Least distance in CIELAB between a rise and a fall of the same step. */
const leastDistance: Readonly<Record<Vision, number>> = {
  usual: 48,
  protanopia: 48,
  deuteranopia: 48,
  tritanopia: 26,
};

function see(color: string, vision: Vision): Lab {
  const [red, green, blue] = toRgba(color);
  return toLab([red / 255, green / 255, blue / 255], vision);
}

function distance(first: Lab, second: Lab): number {
  return Math.hypot(...first.map((value, axis) => value - second[axis]!));
}

describe.each(visions)("with %s vision", (vision) => {
  test("a rise differs from a fall of the same step", () => {
    changeColors.up.forEach((color, step) => {
      const [up, down] = [see(color, vision), see(changeColors.down[step]!, vision)];
      expect(distance(up, down), `step ${step}`).toBeGreaterThanOrEqual(leastDistance[vision]);
      expect(colorDifference(up, down), `step ${step}`).toBeGreaterThan(25);
    });
  });

  test("a larger change is lighter, and the smallest is seen on dark land", () => {
    for (const colors of Object.values(changeColors)) {
      const lightness = colors.map((color) => see(color, vision)[0]);
      lightness.slice(1).forEach((value, step) => {
        expect(value).toBeGreaterThan(lightness[step]! + 10);
      });
      expect(colorDifference(see(colors[0], vision), see(darkLand, vision))).toBeGreaterThan(20);
    }
  });
});
