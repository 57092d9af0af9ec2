// Retries parts of the basemap that could not be loaded, at growing intervals, until all of it is loaded.
import { basemapRetryMs } from "../platform/viewer-limits.ts";

export interface BackgroundWatchEffects {
  /** Requests a part again; the result arrives as a call of `failed` or `loaded`. */
  readonly load: (part: string) => void;
  /** Runs `run` later, unless the returned function is called before. */
  readonly schedule: (delayMs: number, run: () => void) => () => void;
  /** Called when the first part fails and when the last missing one is loaded. */
  readonly onChange: (isWhole: boolean) => void;
}

export class BackgroundWatch {
  readonly #effects: BackgroundWatchEffects;
  /** Missing parts, each with the delay before its next retry and the function that cancels the scheduled one. */
  readonly #missing = new Map<string, { readonly delayMs: number; readonly cancel: () => void }>();

  constructor(effects: BackgroundWatchEffects) {
    this.#effects = effects;
  }

  failed(part: string): void {
    const wasWhole = this.#missing.size === 0;
    const known = this.#missing.get(part);
    known?.cancel();
    const delayMs = known?.delayMs ?? basemapRetryMs.first;
    const cancel = this.#effects.schedule(delayMs, () => {
      this.#effects.load(part);
    });
    this.#missing.set(part, { delayMs: Math.min(basemapRetryMs.longest, delayMs * 2), cancel });
    if (wasWhole) this.#effects.onChange(false);
  }

  loaded(part: string): void {
    const known = this.#missing.get(part);
    if (!known) return;
    known.cancel();
    this.#missing.delete(part);
    if (this.#missing.size === 0) this.#effects.onChange(true);
  }

  close(): void {
    for (const { cancel } of this.#missing.values()) cancel();
    this.#missing.clear();
  }
}
