// The made-up warnings and reports of the demonstration, in the public forms of the National Weather Service's alerts
// and the Iowa Environmental Mesonet's local storm reports. They follow the storms of the event: a warning covers the
// way ahead of a storm, and a report lies near a core, sometimes with another size than the estimate there.
import type { OverlayDraft } from "../../catalog/catalog.ts";
import { demonstrationEvent, observedAt, START_MS, WINDOW_COUNT } from "./demonstration.ts";
import { line, supercells } from "./demo-storms.ts";
import { createRandom, type Random } from "./random.ts";
import { toLonLat, type Position } from "./region.ts";
import type { SupercellDraft } from "./supercell.ts";
import { positionAt, strengthAt, type Track } from "./storm-lifecycle.ts";

const notice = "MADE UP: this storm never happened, and nobody issued or reported this.";

const [rightMover, leftMover, wichitaStorm, southernStorm] = supercells;

interface WarningDraft {
  readonly event: "Severe Thunderstorm Warning" | "Tornado Warning";
  readonly office: string;
  readonly track: Track;
  /** Minutes since the start of the event. */
  readonly fromMin: number;
  readonly toMin: number;
  readonly halfWidthKm: number;
}

const severe = "Severe Thunderstorm Warning";

const warnings: readonly WarningDraft[] = [
  { event: severe, office: "Norman", track: rightMover.track, fromMin: 9, toMin: 46, halfWidthKm: 14 },
  { event: severe, office: "Norman", track: leftMover.track, fromMin: 13, toMin: 50, halfWidthKm: 12 },
  { event: severe, office: "Wichita", track: line.track, fromMin: -6, toMin: 39, halfWidthKm: 60 },
  {
    event: "Tornado Warning",
    office: "Norman",
    track: rightMover.track,
    fromMin: 37,
    toMin: 75,
    halfWidthKm: 9,
  },
];

/** Hail reports: the storm, and the minute. The line has small hail only, so that a comparison finds a miss there. */
const hailReports: readonly (readonly [storm: HailStorm, atMin: number])[] = [
  [wichitaStorm, 4],
  [wichitaStorm, 15],
  [rightMover, 16],
  [leftMover, 19],
  [rightMover, 27],
  [line, 22],
  [southernStorm, 38],
  [rightMover, 41],
  [rightMover, 52],
];

type HailStorm = Pick<SupercellDraft, "track" | "life" | "hailMm">;

/** Sizes in inches by which people report: coins, balls. */
const usualSizes = [0.25, 0.5, 0.75, 0.88, 1, 1.25, 1.5, 1.75, 2, 2.5, 2.75, 3];

/** Returns the overlays to keep with the event; the same on every machine. */
export function createDemonstrationOverlays(): OverlayDraft[] {
  return [
    toDraft("reports", "Storm reports", { type: "FeatureCollection", features: toReports() }),
    toDraft("warnings", "Warnings", { type: "FeatureCollection", features: warnings.map(toWarning) }),
  ];
}

function toDraft(name: string, title: string, collection: object): OverlayDraft {
  const from = observedAt(0, "mrms-mesh");
  const to = observedAt(WINDOW_COUNT - 1, "mrms-reflectivity");
  const facts = { name, title, preset: null, nature: "made-up" as const, source: "Echotop's own generator" };
  return {
    eventId: demonstrationEvent.id,
    facts: { ...facts, fetchedAt: to, from, to },
    bytes: Buffer.from(JSON.stringify(collection)),
  };
}

/** Returns a feature of the alerts' GeoJSON. */
function toWarning(
  { event, office, track, fromMin, toMin, halfWidthKm }: WarningDraft,
  index: number,
): object {
  const sent = toInstant(fromMin);
  const until = toInstant(toMin);
  const id = `echotop-made-up-${index + 1}`;
  return {
    id,
    type: "Feature",
    geometry: { type: "Polygon", coordinates: [toWay(track, fromMin, toMin, halfWidthKm).map(toLonLat)] },
    properties: {
      ...{ "@type": "wx:Alert", id, areaDesc: "Made up", sent, effective: sent, onset: sent },
      ...{ expires: until, ends: until, status: "Actual", messageType: "Alert", category: "Met" },
      ...{ severity: event === severe ? "Severe" : "Extreme", certainty: "Observed", urgency: "Immediate" },
      ...{ event, sender: "Echotop", senderName: `NWS ${office} (made up)` },
      ...{ headline: `${event} (made up)`, description: notice, instruction: null, response: "None" },
    },
  };
}

/** Returns a closed ring around the way of a storm, wider at its end. */
function toWay(track: Track, fromMin: number, toMin: number, halfWidthKm: number): Position[] {
  const start = positionAt(track, fromMin - 6);
  const end = positionAt(track, toMin);
  const length = Math.hypot(end.x - start.x, end.n - start.n);
  const side = { x: (end.n - start.n) / length, n: -(end.x - start.x) / length };
  const beside = ({ x, n }: Position, km: number): Position => ({ x: x + side.x * km, n: n + side.n * km });
  const first = beside(start, halfWidthKm * 0.7);
  return [
    first,
    beside(end, halfWidthKm),
    beside(end, -halfWidthKm),
    beside(start, -halfWidthKm * 0.7),
    first,
  ];
}

function toReports(): object[] {
  const random = createRandom(20_260_520);
  const hail = hailReports.map(([storm, atMin]) => {
    const near = strengthAt(storm.life, atMin) * storm.hailMm * (0.55 + 0.6 * random());
    const size = usualSizes.findLast((inches) => inches * 25.4 <= near) ?? usualSizes[0]!;
    return toReport(storm.track, atMin, random, {
      type: "H",
      typetext: "HAIL",
      magnitude: size,
      unit: "INCH",
    });
  });
  const wind = [11, 33].map((atMin) =>
    toReport(line.track, atMin, random, { type: "G", typetext: "TSTM WND GST", magnitude: 60, unit: "MPH" }),
  );
  const tornado = { type: "T", typetext: "TORNADO", magnitude: null, unit: null };
  return [...hail, ...wind, toReport(rightMover.track, 49, random, tornado)];
}

/** Returns a feature of the reports' GeoJSON, some kilometers from the middle of the storm. */
function toReport(
  track: Track,
  atMin: number,
  random: Random,
  {
    magnitude,
    ...kind
  }: {
    readonly type: string;
    readonly typetext: string;
    readonly magnitude: number | null;
    readonly unit: string | null;
  },
): object {
  const { x, n } = positionAt(track, atMin);
  const [lon, lat] = toLonLat({ x: x + (random() - 0.5) * 8, n: n + (random() - 0.5) * 8 });
  return {
    type: "Feature",
    geometry: { type: "Point", coordinates: [lon, lat] },
    properties: {
      ...{
        valid: toInstant(atMin),
        ...kind,
        magnitude: magnitude === null ? "" : String(magnitude),
        magf: magnitude,
      },
      ...{
        city: "Made up",
        county: "",
        state: "",
        st: "",
        wfo: "",
        source: "made up",
        remark: notice,
        lon,
        lat,
      },
    },
  };
}

function toInstant(minute: number): string {
  return new Date(START_MS + minute * 60_000).toISOString().replace(".000Z", "Z");
}
