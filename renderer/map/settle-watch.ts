// Knows when a map has nothing left to load or to place: ground, labels and pins are on it.
import type { Map as MapLibreMap } from "maplibre-gl";
import { Patience } from "../platform/patience.ts";

/** Longest time in which a map may draw and load nothing before it is given up. */
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

  /** Resolves with false if nothing goes on any more. */
  async whenSettled(): Promise<boolean> {
    const map = this.#map;
    if (this.#isSettled && map.loaded()) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const settle = (): void => {
      resolve(true);
    };
    const patience = new Patience(settleMs);
    map.once("idle", settle);
    map.on("render", patience.renew);
    map.triggerRepaint();
    const isSettled = (await Promise.race([promise, patience.ended])) ?? false;
    patience.stop();
    map.off("idle", settle);
    map.off("render", patience.renew);
    return isSettled;
  }
}
