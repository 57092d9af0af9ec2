import { describe, expect, test } from "vitest";
import { paletteIds, stopColors } from "../../shared/products/palettes.ts";
import { products } from "../../shared/products/registry.ts";
import { basemapColors } from "./basemap-colors.ts";
import { mapThemes, type MapTheme } from "./ground-parts.ts";
import { casingOpacity } from "./line-layers.ts";

type Rgb = readonly [number, number, number];

function toRgb(color: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb;
}

function blend(front: Rgb, back: Rgb, opacity: number): Rgb {
  return front.map((channel, at) => channel * opacity + back[at]! * (1 - opacity)) as unknown as Rgb;
}

function toLinear([red, green, blue]: Rgb): Rgb {
  return [red, green, blue].map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
}

function luminance(color: Rgb): number {
  const [red, green, blue] = toLinear(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of the Web Content Accessibility Guidelines, 1 to 21. */
function contrast(a: Rgb, b: Rgb): number {
  const [lighter, darker] = [luminance(a), luminance(b)].toSorted((one, other) => other - one);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** Difference in CIELAB of 1976, white D65. */
function difference(a: Rgb, b: Rgb): number {
  const [one, other] = [toLab(a), toLab(b)];
  return Math.hypot(...one.map((value, at) => value - other[at]!));
}

function toLab(color: Rgb): Rgb {
  const [red, green, blue] = toLinear(color);
  const x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047;
  const y = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883;
  const [fx, fy, fz] = [x, y, z].map((value) =>
    value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116,
  );
  return [116 * fy! - 16, 500 * (fx! - fy!), 200 * (fy! - fz!)];
}

interface Echo {
  readonly color: Rgb;
  /** Default opacity of its layer. */
  readonly opacity: number;
  /** True from 20 dBZ and from half an inch of hail: what nobody may overlook. */
  readonly isStorm: boolean;
  /** Color of the class below, which always surrounds the highest one. */
  readonly around: Rgb | undefined;
}

const stormFrom = { "mrms-reflectivity": 20, "mrms-mesh": 12.7 } as const;

function toEchoes(theme: MapTheme): Echo[] {
  return products.flatMap((product) =>
    paletteIds.flatMap((palette) =>
      stopColors(product, palette, theme).map((color, index, colors) => ({
        color: toRgb(color),
        opacity: product.opacity,
        isStorm: product.stops[index]!.from >= stormFrom[product.id],
        around: index === colors.length - 1 ? toRgb(colors[index - 1]!) : undefined,
      })),
    ),
  );
}

describe.each(mapThemes)("the %s ground", (theme) => {
  const colors = basemapColors[theme];
  const echoes = toEchoes(theme);
  const land = toRgb(colors.land);
  const casing = toRgb(colors.casing);
  const lines = { county: colors.county, warningArea: colors.warningArea, state: colors.state };

  test.each(Object.entries(lines))("%s lines have 3 to 1 over the land", (_name, color) => {
    expect(contrast(toRgb(color), land)).toBeGreaterThanOrEqual(3);
  });

  test.each(Object.entries(lines))("%s lines have 3 to 1 in their casing over any echo", (_name, color) => {
    const ratios = echoes.flatMap((echo) =>
      [echo.opacity, 1].map((opacity) => {
        const drawn = blend(echo.color, land, opacity);
        return contrast(toRgb(color), blend(casing, drawn, casingOpacity));
      }),
    );
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(3);
  });

  test("labels have 4.5 to 1 over their halo and the land", () => {
    const { label, quietLabel, waterLabel, warningArea, site, halo } = colors;
    for (const text of [label, quietLabel, waterLabel, warningArea, site]) {
      expect(contrast(toRgb(text), toRgb(halo))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(toRgb(text), land)).toBeGreaterThanOrEqual(4.5);
    }
    expect(contrast(toRgb(colors.shieldLabel), toRgb(colors.shield))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(toRgb(waterLabel), toRgb(colors.water))).toBeGreaterThanOrEqual(4.5);
  });

  test("every class of a storm stands out from land and water, the highest from the one around it", () => {
    for (const ground of [land, toRgb(colors.water)]) {
      const differences = echoes
        .filter(({ isStorm }) => isStorm)
        .map(({ color, opacity, around }) => {
          const back = around ? blend(around, ground, opacity) : ground;
          return difference(blend(color, ground, opacity), back);
        });
      expect(Math.min(...differences)).toBeGreaterThan(6);
    }
  });
});
