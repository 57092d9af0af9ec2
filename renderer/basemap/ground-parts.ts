// The parts of the ground that a person can switch, and the themes of map and screen.

export const groundParts = [
  "counties",
  "warning-areas",
  "highways",
  "water",
  "cities",
  "airports",
  "radars",
] as const;
export type GroundPart = (typeof groundParts)[number];
export type GroundShown = Readonly<Record<GroundPart, boolean>>;

/** Airports and radars are for those who ask: together they would crowd the storm. */
export const defaultGround: GroundShown = {
  counties: true,
  "warning-areas": true,
  highways: true,
  water: true,
  cities: true,
  airports: false,
  radars: false,
};

export const mapThemes = ["dark", "light"] as const;
export type MapTheme = (typeof mapThemes)[number];
