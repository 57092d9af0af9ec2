// Words for overlays: rows of the list, words on the map, and the card of a shape.
import type { OverlayPreset } from "../../shared/contract/overlays.ts";
import type { OverlayFormat, OverlayShape, TimeRule } from "../../shared/overlays/overlay.ts";
import type { ReportKind, StormReport } from "../../shared/reports/storm-report.ts";
import type { ShapeAtPoint, ShapeWords } from "../map/overlays/map-overlay.ts";
import { sortOf, type Overlay, type OverlayColor, type OverlayFeed } from "../state/overlays/held-overlay.ts";
import { selectShownOverlays, type ShownOverlay } from "../state/overlays/shown-overlays.ts";
import type { ViewerState } from "../state/store.ts";
import {
  clockMinute,
  clockTime,
  clockZoneName,
  hailName,
  instantWords,
  minuteWithZone,
  type HailUnits,
} from "./format.ts";

export const formatNames: Readonly<Record<OverlayFormat, string>> = {
  placefile: "placefile",
  geojson: "GeoJSON",
  kml: "KML",
  kmz: "KMZ",
  shapefile: "Shapefile",
  "nws-alerts": "NWS alerts",
  warnings: "archive of warnings",
  "reports-csv": "storm reports",
  "reports-geojson": "storm reports",
};

export const colorNames: Readonly<Record<OverlayColor, string>> = {
  teal: "Teal",
  pink: "Pink",
  orange: "Orange",
  blue: "Blue",
  lime: "Lime",
  white: "White",
};

export const presetWords: Readonly<
  Record<OverlayPreset, { readonly name: string; readonly source: string }>
> = {
  "iem-warnings": {
    name: "Official warnings of this event",
    source: "Iowa Environmental Mesonet, archive",
  },
  "iem-reports": { name: "Storm reports of this event", source: "Iowa Environmental Mesonet, archive" },
  "nws-alerts": {
    name: "Current alerts",
    source: "National Weather Service, the last week",
  },
};

export function paceWords(seconds: number): string {
  if (seconds < 60) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  if (minutes === 60) return "Hour";
  return minutes === 1 ? "Minute" : `${minutes} minutes`;
}

export const madeUpWords = "made up";

/** Names a rule that a person may choose. */
export function ruleName(rule: TimeRule): string {
  switch (rule.kind) {
    case "valid-at":
      return "At their own times";
    case "within":
      return `Within ${rule.minutes} minutes`;
    case "always":
      return "Always";
    case "now":
      return "Newest picture only";
  }
}

export function nameOf({ content, name }: Overlay): string {
  return content?.title ?? name;
}

/** Says by which rule an overlay is shown or hidden. `observedMs` is that of the picture; undefined without one. */
export function ruleWords(shown: ShownOverlay, observedMs: number | undefined): string {
  const { overlay, rule, laterHidden, heldBack, unfit } = shown;
  if (unfit === "official-over-synthetic") return "Hidden: it is official, and this storm never happened";
  if (unfit === "synthetic-over-real") return "Hidden: it is made up, and this storm is real";
  if (!overlay.isOn) return "Off";
  if (overlay.content?.shapes.length === 0) return overlay.content.notes[0] ?? "Nothing in the file to draw";
  if (observedMs === undefined) return "Waits for the first picture";
  if (rule.kind === "always") {
    return overlay.rule ? "Always shown, whatever the picture's time" : "No times in the file: always shown";
  }
  if (rule.kind === "now") {
    return heldBack > 0
      ? `Hidden: it is for now, the picture is of ${clockMinute(observedMs)}`
      : "For now: with the newest picture only";
  }
  const parts = [
    rule.kind === "within" ? withinWords(rule.minutes, observedMs) : validWords(shown, observedMs),
  ];
  if (laterHidden > 0) parts.push(`${laterHidden} later hidden`);
  if (heldBack > 0) parts.push(`${heldBack} for now hidden`);
  return parts.join(" · ");
}

function withinWords(minutes: number, observedMs: number): string {
  return `Since ${clockMinute(observedMs - minutes * 60_000)}, up to ${clockTime(observedMs)}`;
}

function validWords({ overlay: { content }, shapes, span }: ShownOverlay, observedMs: number): string {
  if (shapes.length === 0) return `None valid at ${clockTime(observedMs)}`;
  if (!content || sortOf(content) !== "shapes" || span?.fromMs === undefined || span.toMs === undefined)
    return `Valid at ${clockTime(observedMs)}`;
  const field = content.format === "placefile" ? "TimeRange" : "Times";
  // The last millisecond of a time before 21:40 is 21:39:59.999.
  return `${field} in the file: ${clockMinute(span.fromMs)}–${clockMinute(span.toMs + 1)}`;
}

/** `spotters.txt · placefile · read 1 min ago` */
export function sourceWords(overlay: Overlay, nowMs: number): string {
  if (overlay.origin === "synthetic") return "Made with this storm by its generator";
  const { name, content, readAtMs, isKept, place, feed } = overlay;
  const parts = [
    ...(nameOf(overlay) === name ? [] : [name]),
    ...(feed && feed.place !== name ? [feed.place] : []),
    ...(content ? [formatNames[content.format]] : []),
    ...(readAtMs === undefined ? [] : [readWords(readAtMs, nowMs)]),
    ...(content && place === "page" && !isKept ? ["for this visit"] : []),
  ];
  return parts.join(" · ");
}

const minuteMs = 60_000;
const longAgoMs = 12 * 60 * minuteMs;

function readWords(readAtMs: number, nowMs: number): string {
  const ageMs = nowMs - readAtMs;
  if (ageMs < minuteMs) return "read just now";
  if (ageMs >= longAgoMs) return `read ${instantWords(new Date(readAtMs).toISOString())}`;
  const minutes = Math.floor(ageMs / minuteMs);
  return minutes < 60 ? `read ${minutes} min ago` : `read ${Math.floor(minutes / 60)} h ago`;
}

export function unreachedWords(sinceMs: number): string {
  return `not reached since ${clockMinute(sinceMs)}`;
}

/** Says why an overlay has no content yet. */
export function waitWords(feed: OverlayFeed | undefined): string {
  if (feed?.isRead === false) return "Off: not read";
  return feed?.problem === undefined ? "Reading…" : "Nothing read yet";
}

const marks: Readonly<Record<ReportKind, string>> = { hail: "H", wind: "W", tornado: "T", other: "R" };
const kindNames: Readonly<Record<ReportKind, string>> = {
  hail: "Hail",
  wind: "Wind",
  tornado: "Tornado",
  other: "Report",
};

/** Returns the sign of a report: the size of hail, else a letter. */
export function reportMark({ kind, sizeMm }: StormReport, units: HailUnits): string {
  if (kind !== "hail" || sizeMm === undefined) return marks[kind];
  return units === "in" ? (sizeMm / 25.4).toFixed(2) : sizeMm.toFixed(0);
}

/** `Tornado Warning, to 22:00`; `Tornado Warning (made up), to 22:00` */
export function warningLabel({ warning, toMs }: OverlayShape, isMadeUp: boolean): string {
  const title = `${warning?.title ?? ""}${isMadeUp ? ` (${madeUpWords})` : ""}`;
  return toMs === undefined ? title : `${title}, to ${clockMinute(toMs)}`;
}

const wordsOfMap = new Map<string, ShapeWords>();

/** Returns the words on the map: the same object for the same choice. */
export function shapeWords(units: HailUnits, isMadeUp: boolean): ShapeWords {
  const key = `${units} ${isMadeUp}`;
  const words = wordsOfMap.get(key) ?? {
    toLabel: (shape) => (shape.warning ? warningLabel(shape, isMadeUp) : shape.label),
    toMark: (report) => reportMark(report, units),
  };
  wordsOfMap.set(key, words);
  return words;
}

export interface ShapeCard {
  readonly tag: "REPORT" | undefined;
  readonly title: string;
  readonly facts: string;
  readonly text: string | undefined;
}

/** Returns the words about a shape that a person points at. */
export function shapeCard(shape: OverlayShape, overlay: Overlay, units: HailUnits): ShapeCard {
  const { warning, report, label, text, fromMs, toMs } = shape;
  const madeUp = overlay.origin === "synthetic" ? [madeUpWords] : [];
  if (report) {
    const { kind, place, source, remark } = report;
    const facts = [...madeUp, minuteWithZone(report.atMs), source, place].filter(Boolean).join(" · ");
    return {
      tag: "REPORT",
      title: [measured(report, units), kindNames[kind]].join(" ").trim(),
      facts,
      text: remark ?? text,
    };
  }
  const times = [fromMs, toMs].map((at) => (at === undefined ? "" : clockMinute(at))).join("–");
  const facts = [
    ...madeUp,
    warning?.office,
    times === "–" ? undefined : `${times} ${clockZoneName(fromMs ?? toMs ?? 0)}`,
    nameOf(overlay),
  ];
  const title = warning?.title ?? label ?? nameOf(overlay);
  return {
    tag: undefined,
    title,
    facts: facts.filter((fact) => fact !== undefined && fact !== title).join(" · "),
    text: text === label ? undefined : text,
  };
}

/** Says the first shapes at a point. */
export function spokenShapes(
  shapes: readonly ShapeAtPoint[],
  overlays: readonly Overlay[],
  units: HailUnits,
): string[] {
  return shapes.slice(0, 3).flatMap(({ overlayId, shape }) => {
    const overlay = overlays.find(({ id }) => id === overlayId);
    if (!overlay) return [];
    const { tag, title, facts } = shapeCard(shape, overlay, units);
    return `${tag ? "Report: " : ""}${title}, ${facts}.`;
  });
}

function measured({ kind, sizeMm, windKt }: StormReport, units: HailUnits): string {
  if (kind === "hail" && sizeMm !== undefined) {
    const size = units === "in" ? `${(sizeMm / 25.4).toFixed(2)} in` : `${sizeMm.toFixed(0)} mm`;
    return `${size} (${hailName(sizeMm)})`;
  }
  return windKt === undefined ? "" : `${Math.round(windKt)} kt`;
}

/** Names the sources of what is drawn; empty if nothing is. */
export function overlayCredits(state: ViewerState): string {
  const drawn = selectShownOverlays(state).filter(({ shapes }) => shapes.length > 0);
  if (drawn.length === 0) return "";
  const names = drawn.map(({ overlay }) => {
    const name = nameOf(overlay);
    return overlay.origin === "synthetic" ? `${name} (${madeUpWords})` : name;
  });
  return `overlays: ${names.join(", ")}`;
}
