// The colors of the map's ground in both themes: quiet beside the storm, and lines of 3 to 1 against the land and,
// by their casing, against any echo. `basemap-contrast.test.ts` computes it.
import type { MapTheme } from "./ground-parts.ts";

export interface BasemapColors {
  readonly water: string;
  readonly land: string;
  readonly foreignLand: string;
  readonly river: string;
  readonly coast: string;
  readonly county: string;
  readonly highway: string;
  readonly warningArea: string;
  readonly state: string;
  /** Drawn around lines, so that they stand out from the echo. */
  readonly casing: string;
  readonly label: string;
  readonly quietLabel: string;
  readonly waterLabel: string;
  readonly shield: string;
  readonly shieldLabel: string;
  readonly site: string;
  readonly halo: string;
  /** Lines and points of the user's own map file. */
  readonly userMap: string;
}

export const basemapColors: Readonly<Record<MapTheme, BasemapColors>> = {
  dark: {
    water: "#070b10",
    land: "#131b23",
    foreignLand: "#10171e",
    river: "#2f4d68",
    coast: "#4a5865",
    county: "#6b7783",
    highway: "#a98467",
    warningArea: "#d9c7f0",
    state: "#c3cdd7",
    casing: "#05080c",
    label: "#e8eef4",
    quietLabel: "#a9b5c1",
    waterLabel: "#86aed0",
    shield: "#23405f",
    shieldLabel: "#e8eef4",
    site: "#d3dbe3",
    halo: "#070b10",
    userMap: "#8fb3c9",
  },
  light: {
    water: "#bfcedb",
    land: "#e3e6e0",
    foreignLand: "#d6dad4",
    river: "#86a9c8",
    coast: "#7d8a96",
    county: "#6b737b",
    highway: "#94572e",
    warningArea: "#5b3a8c",
    state: "#27313a",
    casing: "#fbfcfc",
    label: "#10161c",
    quietLabel: "#47525c",
    waterLabel: "#1d4f78",
    shield: "#35587f",
    shieldLabel: "#ffffff",
    site: "#27313a",
    halo: "#fbfcfc",
    userMap: "#2c6283",
  },
};
