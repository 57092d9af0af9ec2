// Ordinary thunderstorms: clusters of cells, scattered by seed, of a few updrafts each.
import type { Storm } from "./echo-field.ts";
import { toVelocity } from "./storm-lifecycle.ts";
import { paintPulse, pulseLife, trackFrom } from "./pulse.ts";
import type { Pulse } from "./pulse.ts";
import { createRandom } from "./random.ts";
import type { Position } from "./region.ts";

export interface ClusterDraft {
  readonly seed: number;
  readonly center: Position;
  /** How far cells scatter along and across the cluster's axis. */
  readonly spreadKm: { readonly along: number; readonly across: number };
  /** Direction of the axis, clockwise from north. */
  readonly axisDeg: number;
  readonly cells: number;
  readonly peakDbz: { readonly least: number; readonly most: number };
  readonly hailMm: number;
  readonly motion: { readonly speedMetresPerSecond: number; readonly bearingDeg: number };
}

/** Cells are born from before the event until shortly before its end. */
const BORN_MIN = { first: -45, last: 54 };

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
  /** Around 0, seldom more than 2 away. */
  const bell = (): number => (random() + random() + random() - 1.5) * 1.6;
  const axis = (draft.axisDeg * Math.PI) / 180;
  const pulses: Pulse[] = [];
  for (let cell = 0; cell < draft.cells; cell++) {
    const along = bell() * draft.spreadKm.along;
    const across = bell() * draft.spreadKm.across;
    const x = draft.center.x + along * Math.sin(axis) + across * Math.cos(axis);
    const n = draft.center.n + along * Math.cos(axis) - across * Math.sin(axis);
    const bornMin = between(BORN_MIN.first, BORN_MIN.last);
    const vigour = random();
    const velocity = toVelocity(
      draft.motion.speedMetresPerSecond * between(0.85, 1.15),
      draft.motion.bearingDeg + between(-12, 12),
    );
    const updrafts = 1 + Math.floor(random() * 2 + vigour * 2.2);
    for (let updraft = 0; updraft < updrafts; updraft++) {
      const birthMin = bornMin + updraft * between(4, 10);
      // New updrafts form on the right rear flank.
      const birthplace = { x: x + bell() * 5, n: n + bell() * 4 - updraft * 3 };
      pulses.push({
        track: trackFrom(birthplace, birthMin, velocity),
        life: pulseLife(birthMin, between(20, 32) + 14 * vigour),
        peakDbz: draft.peakDbz.least + (draft.peakDbz.most - draft.peakDbz.least) * vigour * between(0.75, 1),
        hailMm: vigour > 0.6 ? draft.hailMm * vigour : 0,
        radiusKm: between(1.5, 3.4) + 2.2 * vigour * vigour,
        stretch: between(0.5, 0.95),
        debris: "spreading",
        noiseKm: { x: between(0, 512), n: between(0, 512) },
      });
    }
  }
  return pulses;
}
