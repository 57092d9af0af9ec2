// Reports where the person points: the pointer, or the keyboard's crosshair in the middle of the map. Reports at most
// once per animation frame, and again when the map moves under a resting pointer.
import type { Map as MapLibreMap, MapMouseEvent } from "maplibre-gl";
import { mercatorMaxLatitude } from "../../shared/geo/mercator.ts";
import "./pointer-reporter.css";
import type { MapPointer } from "./scene.ts";

interface Point {
  readonly source: MapPointer["source"];
  readonly xPx: number;
  readonly yPx: number;
}

export class PointerReporter {
  readonly #map: MapLibreMap;
  readonly #report: (pointer: MapPointer | undefined) => void;
  readonly #crosshair: HTMLElement;
  /** The mouse or pen while it is over the map. */
  #hovering: Point | undefined;
  #request: number | undefined;
  #wasReported = false;

  constructor(map: MapLibreMap, report: (pointer: MapPointer | undefined) => void) {
    this.#map = map;
    this.#report = report;
    this.#crosshair = document.createElement("div");
    this.#crosshair.className = "map-crosshair";
    this.#crosshair.ariaHidden = "true";
    this.#crosshair.hidden = true;
    map.getContainer().append(this.#crosshair);
    const hover = ({ point: { x, y } }: MapMouseEvent): void => {
      this.#hovering = { source: "pointer", xPx: x, yPx: y };
      this.#schedule();
    };
    map.on("mousemove", hover);
    // A tap comes without a movement.
    map.on("click", hover);
    map.on("mouseout", () => {
      this.#hovering = undefined;
      this.#schedule();
    });
    for (const event of ["move", "resize"] as const) {
      map.on(event, () => {
        this.#schedule();
      });
    }
  }

  setCrosshair(shown: boolean): void {
    this.#crosshair.hidden = !shown;
    if (shown) this.#hovering = undefined;
    this.#schedule();
  }

  close(): void {
    if (this.#request !== undefined) cancelAnimationFrame(this.#request);
    this.#crosshair.remove();
  }

  #schedule(): void {
    this.#request ??= requestAnimationFrame(() => {
      this.#request = undefined;
      const pointer = this.#findPointer();
      if (!pointer && !this.#wasReported) return;
      this.#wasReported = pointer !== undefined;
      this.#report(pointer);
    });
  }

  /** Returns the pointer if it is over the map, else the crosshair; undefined beyond the edge of the world. */
  #findPointer(): MapPointer | undefined {
    const point = this.#hovering ?? this.#middle();
    if (!point) return undefined;
    const { lng, lat } = this.#map.unproject([point.xPx, point.yPx]);
    if (Math.abs(lng) > 180 || Math.abs(lat) > mercatorMaxLatitude) return undefined;
    return { ...point, coordinate: [lng, lat] };
  }

  #middle(): Point | undefined {
    if (this.#crosshair.hidden) return undefined;
    const { clientWidth, clientHeight } = this.#map.getContainer();
    return { source: "crosshair", xPx: clientWidth / 2, yPx: clientHeight / 2 };
  }
}
