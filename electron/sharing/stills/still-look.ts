// Colors of stills: dark, so that the storm is the brightest part.

/** Distance of marks from the edges. */
export const edgePx = 32;

export const colors = {
  water: "#070b10",
  land: "#131b23",
  abroad: "#10171e",
  county: "#2f3d4b",
  coast: "#3a4a5a",
  line: "#b9c4cf",
  casing: "#070b10",
  panel: "#10161d",
  rule: "#202b37",
  text: "#e8eef4",
  quiet: "#a9b5c1",
  amber: "#ffb44a",
} as const;

/** Diagonal lines on the map outside radar coverage. */
export const hatching = { distancePx: 14, widthPx: 2, rgba: [141, 154, 168, 46] } as const;

/** Returns the SVG of a ring: light on a dark rim, to show on any background. */
export function toRing(x: number, y: number, radiusPx: number): string {
  const circle = (color: string, strokePx: number): string =>
    `<circle cx="${x}" cy="${y}" r="${radiusPx}" fill="none" stroke="${color}" stroke-width="${strokePx}"/>`;
  return circle(colors.casing, 6) + circle(colors.text, 2.5);
}
