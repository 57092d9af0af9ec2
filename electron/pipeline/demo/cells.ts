// Ordinary thunderstorms: clusters of cells with a few updrafts each, scattered by seed.
import type { Storm } from "./echo-field.ts";
import { toVelocity } from "./storm-lifecycle.ts";
import { paintPulse, pulseLife, trackFrom } from "./pulse.ts";
import type { Pulse } from "./pulse.ts";
import { createRandom } from "./random.ts";
import type { Position } from "./region.ts";

export interface ClusterDraft {
  readonly seed: number;
  readonly center: Position;
  /** Scatter of the cells along and across the cluster's axis. */
  readonly spreadKm: readonly [along: number, across: number];
  /** Direction of the axis, clockwise from north. */
  readonly axisDeg: number;
  readonly cells: number;
  readonly peakDbz: readonly [least: number, most: number];
  readonly hailMm: number;
}

/** The time of the first and last birth. */
const BORN_MIN = [-45, 54] as const;
const SPEED_METERS_PER_SECOND = 14;
const BEARING_DEG = 52;

export function createCluster(draft: ClusterDraft): Storm {
  const pulses = scatterPulses(draft);
  return {
    paint(field, weather) {
      for (const pulse of pulses) paintPulse(field, pulse, weather);
    },
  };
}

function scatterPulses(draft: ClusterDraft): Pulse[] {
  const random = createRandom(draft.seed);
  const between = (least: number, most: number): number => least + (most - least) * random();
  /** Returns a number around 0, seldom beyond ±2. */
  const bell = (): number => (random() + random() + random() - 1.5) * 1.6;
  const axis = (draft.axisDeg * Math.PI) / 180;
  const [least, most] = draft.peakDbz;
  const pulses: Pulse[] = [];
  for (let cell = 0; cell < draft.cells; cell++) {
    const along = bell() * draft.spreadKm[0];
    const across = bell() * draft.spreadKm[1];
    const x = draft.center.x + along * Math.sin(axis) + across * Math.cos(axis);
    const n = draft.center.n + along * Math.cos(axis) - across * Math.sin(axis);
    const bornMin = between(...BORN_MIN);
    const vigor = random();
    const velocity = toVelocity(
      SPEED_METERS_PER_SECOND * between(0.85, 1.15),
      BEARING_DEG + between(-12, 12),
    );
    const updrafts = 1 + Math.floor(random() * 2 + vigor * 2.2);
    for (let updraft = 0; updraft < updrafts; updraft++) {
      const birthMin = bornMin + updraft * between(4, 10);
      // New updrafts form on the right rear flank.
      const birthplace = { x: x + bell() * 5, n: n + bell() * 4 - updraft * 3 };
      pulses.push({
        track: trackFrom(birthplace, birthMin, velocity),
        life: pulseLife(birthMin, between(20, 32) + 14 * vigor),
        peakDbz: least + (most - least) * vigor * between(0.75, 1),
        hailMm: vigor > 0.6 ? draft.hailMm * vigor : 0,
        radiusKm: between(1.5, 3.4) + 2.2 * vigor * vigor,
        stretch: between(0.5, 0.95),
        debris: "spreading",
        noiseKm: { x: between(0, 512), n: between(0, 512) },
      });
    }
  }
  return pulses;
}
