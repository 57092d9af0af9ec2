// The storms of the demonstration: an hour of a May afternoon that never was. A storm splits south-west of Oklahoma City and
// its right mover goes on to Norman, an old supercell dies near Wichita, a line crosses western Kansas, and cells come and go.
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

/** The storm that splits: both halves share one path until here. */
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

const longBefore = { birthMin: -90, matureMin: -50 };

function lives(birthMin: number, matureMin: number, decayMin: number, deathMin: number): Lifecycle {
  return { birthMin, matureMin, decayMin, deathMin };
}

const supercells: readonly SupercellDraft[] = [
  {
    track: rightMover,
    life: lives(-8, 40, 50, 105),
    hook: lives(26, 44, 90, 120),
    peakDbz: 67,
    hailMm: 64,
    rotation: "cyclonic",
    size: 1.25,
    anvilKm: { atStart: 10, most: 120 },
    noiseKm: { x: 40, n: 300 },
  },
  {
    track: leftMover,
    life: lives(-8, 26, 34, 60),
    peakDbz: 63,
    hailMm: 40,
    rotation: "anticyclonic",
    size: 0.95,
    anvilKm: { atStart: 10, most: 70 },
    noiseKm: { x: 330, n: 120 },
  },
  {
    track: wichitaStorm,
    life: { ...longBefore, decayMin: 18, deathMin: 78 },
    hook: { ...longBefore, decayMin: 8, deathMin: 34 },
    peakDbz: 65,
    hailMm: 52,
    rotation: "cyclonic",
    size: 1.3,
    anvilKm: { atStart: 95, most: 140 },
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
    anvilKm: { atStart: -8, most: 80 },
    noiseKm: { x: 470, n: 30 },
  },
];

const line: SquallLineDraft = {
  seed: 71,
  track: { start: toPosition(-100.25, 38.35), velocity: toVelocity(19, 82) },
  life: { ...longBefore, decayMin: 70, deathMin: 180 },
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
    life: { ...longBefore, decayMin: -10, deathMin: 150 },
    halfAxesKm: { along: 125, across: 72 },
    axisDeg: 62,
    crestDbz: 33,
    contrastDb: 6.5,
    noiseKm: { x: 130, n: 130 },
  },
  {
    track: { start: toPosition(-93.6, 33.2), velocity: eastward },
    life: { ...longBefore, decayMin: 10, deathMin: 130 },
    halfAxesKm: { along: 95, across: 45 },
    axisDeg: 40,
    crestDbz: 21,
    contrastDb: 8,
    noiseKm: { x: 420, n: 250 },
  },
  {
    track: { start: toPosition(-101.2, 36.2), velocity: toVelocity(12, 75) },
    life: { ...longBefore, decayMin: 0, deathMin: 120 },
    halfAxesKm: { along: 70, across: 34 },
    axisDeg: 75,
    crestDbz: 13,
    contrastDb: 8,
    noiseKm: { x: 80, n: 470 },
  },
];

const clusterMotion = { speedMetresPerSecond: 14, bearingDeg: 52 };

const clusters: readonly Omit<ClusterDraft, "motion">[] = [
  // Behind the rain in the north-east, along the boundary that it left.
  {
    seed: 11,
    center: toPosition(-95.0, 38.1),
    spreadKm: { along: 85, across: 12 },
    axisDeg: 66,
    cells: 30,
    peakDbz: { least: 40, most: 58 },
    hailMm: 16,
  },
  // The warm sector of eastern Oklahoma and western Arkansas.
  {
    seed: 23,
    center: toPosition(-94.6, 34.9),
    spreadKm: { along: 120, across: 48 },
    axisDeg: 35,
    cells: 56,
    peakDbz: { least: 36, most: 58 },
    hailMm: 18,
  },
  // Towers along the dryline.
  {
    seed: 37,
    center: toPosition(-99.5, 34.4),
    spreadKm: { along: 95, across: 9 },
    axisDeg: 14,
    cells: 14,
    peakDbz: { least: 30, most: 52 },
    hailMm: 10,
  },
  // South of the line's end.
  {
    seed: 41,
    center: toPosition(-99.9, 36.75),
    spreadKm: { along: 30, across: 12 },
    axisDeg: 20,
    cells: 9,
    peakDbz: { least: 40, most: 57 },
    hailMm: 18,
  },
  {
    seed: 53,
    center: toPosition(-96.6, 33.2),
    spreadKm: { along: 60, across: 35 },
    axisDeg: 60,
    cells: 9,
    peakDbz: { least: 32, most: 52 },
    hailMm: 8,
  },
];

/** All storms, the wide and weak ones first. */
export function createStorms(): Storm[] {
  return [
    ...rainAreas.map(createRainArea),
    createSquallLine(line),
    ...clusters.map((cluster) => createCluster({ ...cluster, motion: clusterMotion })),
    ...supercells.map(createSupercell),
  ];
}
