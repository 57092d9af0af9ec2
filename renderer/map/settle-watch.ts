// Knows when a map has nothing left to load or to place: ground, labels and pins are on it.
import type { Map as MapLibreMap } from "maplibre-gl";
import { schedule } from "../platform/page-effects.ts";

/** Longest time that a map may take. */
const settleMs = 20_000;

export class SettleWatch {
  readonly #map: MapLibreMap;
  /** True from the repaint after which nothing was left, until something changes. */
  #isSettled = false;

  constructor(map: MapLibreMap) {
    this.#map = map;
    map.on("idle", () => {
      this.#isSettled = true;
    });
    for (const change of ["dataloading", "data", "move", "resize"] as const) {
      map.on(change, () => {
        this.#isSettled = false;
      });
    }
  }

  /** Resolves with false if it takes too long. */
  async whenSettled(): Promise<boolean> {
    const map = this.#map;
    if (this.#isSettled && map.loaded()) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const settle = (): void => {
      resolve(true);
    };
    const stop = schedule(settleMs, () => {
      resolve(false);
    });
    map.once("idle", settle);
    map.triggerRepaint();
    const isSettled = await promise;
    stop();
    map.off("idle", settle);
    return isSettled;
  }
}
