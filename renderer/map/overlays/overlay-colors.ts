// Colors of overlays: those that forecasters know for warnings. Kinds differ in dashes and words too.
import type { WarningKind } from "../../../shared/overlays/overlay.ts";

export const warningColors: Readonly<Record<WarningKind, string>> = {
  tornado: "#ff5a52",
  "severe-thunderstorm": "#ffe04a",
  "flash-flood": "#4fe36b",
  "special-marine": "#ffae42",
  other: "#d5dde5",
};

/** Kinds whose outline is dashed. */
export const dashedWarnings: readonly WarningKind[] = ["flash-flood", "other"];

/** Under every line and around every sign, in both themes: overlays lie on bright echo. */
export const casingColor = "#05080c";
export const reportColor = "#f4f8fb";
/** Largest opacity of an area that its file fills: the echo under it stays readable. */
export const mostFillOpacity = 0.5;
