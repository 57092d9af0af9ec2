// Replay speeds, as multiples of the original speed of publication.

export const defaultReplaySpeed = 10;
export const slowestReplay = 0.001;
export const fastestReplay = 100_000;

export function isReplaySpeed(speed: number): boolean {
  return speed >= slowestReplay && speed <= fastestReplay;
}
