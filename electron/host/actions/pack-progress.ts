// The progress of work that is done in stages, each of which counts its own things from nothing: one scale for all of them.

/** Parts of the scale; a task shows them as hundredths. */
export const scaleTotal = 100;

/**
 * Reports on the whole scale, never backwards. A stage has ended when the next report counts other things, or from anew; each
 * stage has the same share, for how long they take depends on the network. One that was begun over keeps what it had.
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
