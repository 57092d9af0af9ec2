// Chance that a seed repeats.

/** Park and Miller's generator: 0 up to, not including, 1. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
