// Measures the palettes as they are seen: blended at the default opacities over the ground, and hail over reflectivity.
import { describe, expect, test } from "vitest";
import type { LegendStop } from "../contract/manifest.ts";
import { isLegendOf, legendOf, paletteIds, stopColors, toRgba } from "./palettes.ts";
import type { PaletteId, Theme } from "./palettes.ts";
import { mesh } from "./mesh.ts";
import type { Product } from "./product.ts";
import { reflectivity } from "./reflectivity.ts";
import { products } from "./registry.ts";
import {
  colorDifference,
  toLab,
  visions,
  type Lab,
  type Rgb,
  type Vision,
} from "./support/color-difference.ts";

interface Ground {
  readonly theme: Theme;
  readonly color: string;
}

/** Land, then water, of the map in both themes. */
const darkGrounds: readonly Ground[] = ["#131b23", "#070b10"].map((color) => ({ theme: "dark", color }));
const lightGrounds: readonly Ground[] = ["#e3e6e0", "#bfcedb"].map((color) => ({ theme: "light", color }));
const [darkLand, lightLand] = [darkGrounds[0]!, lightGrounds[0]!];
/** The ground of a printed still. */
const paper: Ground = { theme: "dark", color: "#ffffff" };

/** Returns a color as the page blends it: encoded values, alpha times the layer's opacity. */
function over(color: string, opacity: number, [red, green, blue]: Rgb): Rgb {
  const [r, g, b, a] = toRgba(color);
  const alpha = (a / 255) * opacity;
  const blend = (top: number, under: number): number => (top / 255) * alpha + under * (1 - alpha);
  return [blend(r, red), blend(g, green), blend(b, blue)];
}

function toRgb(color: string): Rgb {
  return over(color, 1, [0, 0, 0]);
}

function onGround(
  product: Product,
  palette: PaletteId,
  { theme, color: ground }: Ground,
  vision: Vision = "usual",
): Lab[] {
  return stopColors(product, palette, theme).map((color) =>
    toLab(over(color, product.opacity, toRgb(ground)), vision),
  );
}

/** Returns how much each stop differs from the ground on which it lies. */
function fromGround(product: Product, palette: PaletteId, ground: Ground): number[] {
  const land = toLab(toRgb(ground.color), "usual");
  return onGround(product, palette, ground).map((seen) => colorDifference(seen, land));
}

/** Returns the least difference between hail of half an inch or more, over anything, and any echo on its own. */
function hailFromReflectivity(palette: PaletteId, { theme, color: ground }: Ground, vision: Vision): number {
  const land = toRgb(ground);
  const echoes = stopColors(reflectivity, palette, theme).map((color) =>
    over(color, reflectivity.opacity, land),
  );
  const seenEchoes = echoes.map((echo) => toLab(echo, vision));
  const hail = stopColors(mesh, palette, theme).filter(
    (_, stop) => mesh.stops[stop]!.from >= mesh.overlayFrom!,
  );
  expect(hail).toHaveLength(10);
  const differences = hail.flatMap((color) =>
    [land, ...echoes].flatMap((under) => {
      const seen = toLab(over(color, mesh.opacity, under), vision);
      return seenEchoes.map((echo) => colorDifference(seen, echo));
    }),
  );
  return Math.min(...differences);
}

const steps = (labs: readonly Lab[]): number[] =>
  labs.slice(1).map((lab, index) => colorDifference(labs[index]!, lab));

describe.each(["echotop", "color-blind", "color-blind-cold"] as const)("the %s palette", (palette) => {
  test.each([...darkGrounds, ...lightGrounds, paper])("keeps hail apart over $theme $color", (ground) => {
    for (const vision of visions) {
      const least = vision === "usual" ? 10 : 6;
      expect(hailFromReflectivity(palette, ground, vision), vision).toBeGreaterThanOrEqual(least);
    }
  });

  test("shows the hail sizes that forecasters name apart from each other", () => {
    const seen = onGround(mesh, palette, darkLand);
    const named = [12.7, 19.05, 25.4, 38.1, 50.8].map((size) => {
      const stop = mesh.stops.findIndex(({ from }) => from === size);
      return seen[stop]!;
    });
    for (const difference of steps(named)) expect(difference).toBeGreaterThan(9);
    for (const difference of steps(seen.slice(2))) expect(difference).toBeGreaterThan(5);
  });

  test.each([darkLand, lightLand])("is quiet below 20 dBZ on $theme land, and reads in order", (ground) => {
    const differences = fromGround(reflectivity, palette, ground);
    const quiet = reflectivity.stops.filter(({ from }) => from < 20).length;
    const loudest = Math.max(...differences.slice(0, quiet));
    expect(loudest).toBeLessThan(15);
    expect(Math.min(...differences)).toBeGreaterThan(3);
    for (const difference of differences.slice(quiet)) expect(difference).toBeGreaterThan(loudest);
    differences.slice(1, quiet + 1).forEach((difference, index) => {
      expect(difference).toBeGreaterThan(differences[index]! + 2);
    });
  });

  test.each(lightGrounds)("shows every class of hail on light $color", (ground) => {
    expect(Math.min(...fromGround(mesh, palette, ground))).toBeGreaterThan(10);
    expect(Math.min(...steps(onGround(mesh, palette, ground).slice(-4)))).toBeGreaterThan(5);
  });
});

test("the default reflectivity turns one way through its hues, and is lightest at 40 dBZ", () => {
  const seen = onGround(reflectivity, "echotop", darkLand).slice(3);
  const hues = seen.map(([, a, b]) => (Math.atan2(b, a) * 180) / Math.PI);
  hues.slice(1).forEach((hue, index) => {
    // Green, yellow, red, magenta: downward, past zero.
    expect((((hues[index]! - hue) % 360) + 360) % 360).toBeLessThan(90);
  });
  const lightness = onGround(reflectivity, "echotop", darkLand).map(([value]) => value);
  const forty = reflectivity.stops.findIndex(({ from }) => from === 40);
  expect(Math.max(...lightness)).toBe(lightness[forty]);
  lightness.slice(1, forty + 1).forEach((value, index) => {
    expect(value).toBeGreaterThan(lightness[index]!);
  });
});

test.each(paletteIds)("hail gets lighter from stop to stop in the %s palette", (palette) => {
  const lightness = onGround(mesh, palette, darkLand).map(([value]) => value);
  lightness.slice(1).forEach((value, index) => {
    expect(value).toBeGreaterThan(lightness[index]!);
  });
});

test.each(["color-blind", "color-blind-cold"] as const)(
  "the %s palette gets lighter from stop to stop in every kind of color vision",
  (palette) => {
    for (const product of products) {
      for (const vision of visions) {
        const seen = onGround(product, palette, darkLand, vision).map(([value]) => value);
        seen.slice(1).forEach((value, index) => {
          expect(value, `${product.id}, ${vision}`).toBeGreaterThan(seen[index]!);
        });
      }
    }
  },
);

test("the NWS palette keeps hail apart too, as far as its many hues allow", () => {
  for (const ground of darkGrounds) {
    for (const vision of visions) {
      const least = vision === "usual" ? 10 : 5.5;
      expect(hailFromReflectivity("nws", ground, vision), vision).toBeGreaterThanOrEqual(least);
    }
  }
});

/** The default palette of hail until the two products got colors for each other, as stored manifests have it. */
const earlierHail = ["#50617f", "#3d78c2", "#35a39d", "#79c143", "#f4e24a", "#f8b13a"].concat([
  "#f2712a",
  "#d92b4b",
  "#a81fc4",
  "#7a3df0",
  "#c9a8ff",
  "#ffffff",
]);

test("a legend is recognized by its labels and the colors of its time", () => {
  expect(isLegendOf(mesh, legendOf(mesh))).toBe(true);
  expect(isLegendOf(reflectivity, legendOf(mesh))).toBe(false);
  expect(isLegendOf(mesh, legendOf(mesh).slice(1))).toBe(false);
  expect(isLegendOf(mesh, repaint(mesh, earlierHail))).toBe(true);
  expect(isLegendOf(reflectivity, repaint(reflectivity, stopColors(reflectivity, "nws")))).toBe(true);
});

test("a legend with Echotop's labels in other colors is another service's", () => {
  expect(isLegendOf(mesh, repaint(mesh, earlierHail.toReversed()))).toBe(false);
  expect(isLegendOf(mesh, repaint(mesh, [...earlierHail.slice(0, -1), "#fffffe"]))).toBe(false);
});

function repaint(product: Product, colors: readonly string[]): LegendStop[] {
  return legendOf(product).map((stop, index) => ({ ...stop, color: colors[index]! }));
}
