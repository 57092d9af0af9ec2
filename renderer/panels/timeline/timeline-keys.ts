// How far the keys of a slider move on the timeline.

/** Revisions forward; negative is back. */
export const stepOfKey: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};
