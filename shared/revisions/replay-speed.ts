// How fast an event may be replayed: times the speed at which it was published.

export const defaultReplaySpeed = 10;
export const slowestReplay = 0.001;
export const fastestReplay = 100_000;

export function isReplaySpeed(speed: number): boolean {
  return speed >= slowestReplay && speed <= fastestReplay;
}
