// The highest class anywhere in a frame, read from its coarsest level: a few thousand cells even for a national grid.
import { levelsOf, type DecodedFrame } from "./decoded-frame.ts";

/** Returns the lower edge of the highest class that is drawn; undefined if none is, or if classes are unknown. */
export function findHighestEdge(frame: DecodedFrame): number | undefined {
  if (frame.kind !== "indexed" || !frame.classes) return undefined;
  const coarsest = levelsOf(frame).at(-1)!;
  const indices = coarsest.kind === "raw" ? coarsest.indices : coarsest.values;
  let highest = 0;
  for (const index of indices) if (index > highest) highest = index;
  // Class k has index k + 1.
  return highest === 0 ? undefined : frame.classes.edges[highest - 1];
}
