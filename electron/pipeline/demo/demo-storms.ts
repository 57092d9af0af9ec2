// The storms of the demonstration, on an invented afternoon in May. A storm splits southwest of Oklahoma City and its
// right mover reaches Norman; an old supercell dies near Wichita; a line crosses western Kansas; cells come and go.
import { createCluster } from "./cells.ts";
import type { ClusterDraft } from "./cells.ts";
import type { Storm } from "./echo-field.ts";
import { toVelocity } from "./storm-lifecycle.ts";
import type { Lifecycle, Track } from "./storm-lifecycle.ts";
import { createRainArea } from "./rain-area.ts";
import type { RainAreaDraft } from "./rain-area.ts";
import { toPosition } from "./region.ts";
import { createSquallLine } from "./squall-line.ts";
import type { SquallLineDraft } from "./squall-line.ts";
import { createSupercell } from "./supercell.ts";
import type { SupercellDraft } from "./supercell.ts";

/** The minute of the split: both halves share one path until then. */
const SPLIT_MIN = 7;

const splitStart = toPosition(-97.92, 35.05);
const splitVelocity = toVelocity(17, 52);
const rightMover: Track = {
  start: splitStart,
  velocity: splitVelocity,
  turn: { fromMin: SPLIT_MIN, durationMin: 9, velocity: toVelocity(13, 88) },
};
const leftMover: Track = {
  start: splitStart,
  velocity: splitVelocity,
  turn: { fromMin: SPLIT_MIN, durationMin: 8, velocity: toVelocity(24, 14) },
};
const wichitaStorm: Track = { start: toPosition(-98.35, 37.3), velocity: toVelocity(16, 58) };

function lives(birthMin: number, matureMin: number, decayMin: number, deathMin: number): Lifecycle {
  return { birthMin, matureMin, decayMin, deathMin };
}

/** Returns the lifecycle of a storm that matured long before the event. */
function livesUntil(decayMin: number, deathMin: number): Lifecycle {
  return lives(-90, -50, decayMin, deathMin);
}

/** The right mover, the left mover, the storm near Wichita, and one in the south. */
export const supercells: readonly [SupercellDraft, SupercellDraft, SupercellDraft, SupercellDraft] = [
  {
    track: rightMover,
    life: lives(-8, 40, 50, 105),
    hook: lives(26, 44, 90, 120),
    peakDbz: 67,
    hailMm: 64,
    rotation: "cyclonic",
    size: 1.25,
    anvilKm: [10, 120],
    noiseKm: { x: 40, n: 300 },
  },
  {
    track: leftMover,
    life: lives(-8, 26, 34, 60),
    peakDbz: 63,
    hailMm: 40,
    rotation: "anticyclonic",
    size: 0.95,
    anvilKm: [10, 70],
    noiseKm: { x: 330, n: 120 },
  },
  {
    track: wichitaStorm,
    life: livesUntil(18, 78),
    hook: livesUntil(8, 34),
    peakDbz: 65,
    hailMm: 52,
    rotation: "cyclonic",
    size: 1.3,
    anvilKm: [95, 140],
    noiseKm: { x: 190, n: 410 },
  },
  {
    track: { start: toPosition(-99.72, 33.42), velocity: toVelocity(12, 70) },
    life: lives(4, 48, 90, 120),
    hook: lives(44, 62, 90, 120),
    peakDbz: 64,
    hailMm: 42,
    rotation: "cyclonic",
    size: 0.8,
    anvilKm: [-8, 80],
    noiseKm: { x: 470, n: 30 },
  },
];

export const line: SquallLineDraft = {
  seed: 71,
  track: { start: toPosition(-100.25, 38.35), velocity: toVelocity(19, 82) },
  life: livesUntil(70, 180),
  halfLengthKm: 150,
  slant: 0.3,
  bowKm: 26,
  peakDbz: 58,
  hailMm: 24,
  stratiformKm: 105,
  noiseKm: { x: 25, n: 240 },
};

const eastward = toVelocity(14, 65);

const rainAreas: readonly RainAreaDraft[] = [
  {
    track: { start: toPosition(-94.7, 39.15), velocity: eastward },
    life: livesUntil(-10, 150),
    halfAxesKm: [125, 72],
    axisDeg: 62,
    crestDbz: 33,
    contrastDb: 6.5,
    noiseKm: { x: 130, n: 130 },
  },
  {
    track: { start: toPosition(-93.6, 33.2), velocity: eastward },
    life: livesUntil(10, 130),
    halfAxesKm: [95, 45],
    axisDeg: 40,
    crestDbz: 21,
    contrastDb: 8,
    noiseKm: { x: 420, n: 250 },
  },
  {
    track: { start: toPosition(-101.2, 36.2), velocity: toVelocity(12, 75) },
    life: livesUntil(0, 120),
    halfAxesKm: [70, 34],
    axisDeg: 75,
    crestDbz: 13,
    contrastDb: 8,
    noiseKm: { x: 80, n: 470 },
  },
];

/** The seed of a cluster, its number of cells, the position of its center, and the rest. */
type ClusterRow = readonly [
  ...[seed: number, cells: number, longitude: number, latitude: number],
  Pick<ClusterDraft, "spreadKm" | "axisDeg" | "peakDbz" | "hailMm">,
];

const clusters: readonly ClusterRow[] = [
  // Behind the rain in the northeast, along the boundary that it left.
  [11, 30, -95.0, 38.1, { spreadKm: [85, 12], axisDeg: 66, peakDbz: [40, 58], hailMm: 16 }],
  // The warm sector of eastern Oklahoma and western Arkansas.
  [23, 56, -94.6, 34.9, { spreadKm: [120, 48], axisDeg: 35, peakDbz: [36, 58], hailMm: 18 }],
  // Towers along the dryline.
  [37, 14, -99.5, 34.4, { spreadKm: [95, 9], axisDeg: 14, peakDbz: [30, 52], hailMm: 10 }],
  // South of the end of the line.
  [41, 9, -99.9, 36.75, { spreadKm: [30, 12], axisDeg: 20, peakDbz: [40, 57], hailMm: 18 }],
  // Northern Texas.
  [53, 9, -96.6, 33.2, { spreadKm: [60, 35], axisDeg: 60, peakDbz: [32, 52], hailMm: 8 }],
];

/** Creates all storms, the wide and weak ones first. */
export function createStorms(): Storm[] {
  return [
    ...rainAreas.map(createRainArea),
    createSquallLine(line),
    ...clusters.map(([seed, cells, longitude, latitude, rest]) =>
      createCluster({ seed, cells, center: toPosition(longitude, latitude), ...rest }),
    ),
    ...supercells.map(createSupercell),
  ];
}
