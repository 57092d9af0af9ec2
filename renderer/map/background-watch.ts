// Sees to it that the map's background becomes whole: a part of it that could not be loaded is asked for again, at growing
// intervals, until it is there.

export interface BackgroundWatchEffects {
  /** Asks for a part of the background again; what comes of it is told with `failed` or `loaded`. */
  readonly load: (part: string) => void;
  /** Runs `run` later, unless the function returned is called before. */
  readonly schedule: (delayMs: number, run: () => void) => () => void;
  /** Whether the background is whole has changed. */
  readonly onChange: (isWhole: boolean) => void;
}

export const firstRetryMs = 2_000;
export const longestRetryMs = 30_000;

export class BackgroundWatch {
  readonly #effects: BackgroundWatchEffects;
  /** How to give up the next attempt at each part that is missing. */
  readonly #missing = new Map<string, () => void>();
  readonly #delaysMs = new Map<string, number>();

  constructor(effects: BackgroundWatchEffects) {
    this.#effects = effects;
  }

  failed(part: string): void {
    const delayMs = this.#delaysMs.get(part) ?? firstRetryMs;
    this.#delaysMs.set(part, Math.min(longestRetryMs, delayMs * 2));
    const wasWhole = this.#missing.size === 0;
    this.#missing.get(part)?.();
    this.#missing.set(
      part,
      this.#effects.schedule(delayMs, () => {
        this.#effects.load(part);
      }),
    );
    if (wasWhole) this.#effects.onChange(false);
  }

  loaded(part: string): void {
    const giveUp = this.#missing.get(part);
    if (!giveUp) return;
    giveUp();
    this.#missing.delete(part);
    this.#delaysMs.delete(part);
    if (this.#missing.size === 0) this.#effects.onChange(true);
  }

  close(): void {
    for (const giveUp of this.#missing.values()) giveUp();
    this.#missing.clear();
  }
}
