// Progress of work in stages, each of which counts from 0, on one scale.

/** Total of the scale. */
export const scaleTotal = 100;

/**
 * Returns a reporter that never goes backwards. A stage ends when the total changes or the count falls. All stages
 * have the same share, because their durations depend on the network.
 */
export function toOneScale(
  stages: number,
  report: (done: number, total: number) => void,
): (done: number, total: number) => void {
  let stage = 0;
  let last: { readonly done: number; readonly total: number } | undefined;
  let shown = 0;
  return (done, total) => {
    if (last !== undefined && (total !== last.total || done < last.done)) {
      stage = Math.min(stage + 1, stages - 1);
    }
    last = { done, total };
    const share = total === 0 ? 0 : Math.min(1, done / total);
    shown = Math.max(shown, Math.floor(((stage + share) / stages) * scaleTotal));
    report(shown, scaleTotal);
  };
}
