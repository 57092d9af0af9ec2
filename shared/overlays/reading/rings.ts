// Rings of a polygon: closed, and with each hole in the area around it.
import type { Coordinate } from "../../contract/primitives.ts";

type Ring = readonly Coordinate[];

/** Beyond this many rings each is an area of its own: finding holes costs their square. */
const mostNestedRings = 100;

export function closeRing(ring: Ring): Ring {
  const first = ring[0];
  const last = ring.at(-1);
  if (!first || !last || (first[0] === last[0] && first[1] === last[1])) return ring;
  return [...ring, first];
}

/** Groups closed rings to areas: a ring within an odd number of others is a hole of the innermost around it. */
export function groupRings(rings: readonly Ring[]): (readonly Ring[])[] {
  if (rings.length > mostNestedRings) return rings.map((ring) => [ring]);
  const around = rings.map((ring) => rings.filter((other) => other !== ring && isInside(ring[0]!, other)));
  const areas = new Map<Ring, Ring[]>();
  rings.forEach((ring, index) => {
    if (around[index]!.length % 2 === 0) areas.set(ring, [ring]);
  });
  rings.forEach((ring, index) => {
    if (around[index]!.length % 2 === 0) return;
    const depth = (other: Ring): number => around[rings.indexOf(other)]!.length;
    const innermost = around[index]!.toSorted((left, right) => depth(right) - depth(left))[0]!;
    areas.get(innermost)?.push(ring);
  });
  return [...areas.values()];
}

function isInside([longitude, latitude]: Coordinate, ring: Ring): boolean {
  let inside = false;
  for (let index = 0, before = ring.length - 1; index < ring.length; before = index++) {
    const [x1, y1] = ring[index]!;
    const [x2, y2] = ring[before]!;
    if (y1 > latitude === y2 > latitude) continue;
    if (longitude < ((x2 - x1) * (latitude - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
}
