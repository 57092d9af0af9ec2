// Where the person points on the map: the pointer, or the keyboard's crosshair in its middle. Reports at most once an animation
// frame, and again when the map moves below a pointer that rests.
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
  /** The mouse's or pen's, while it is over the map. */
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
    // A tap has no movement before it.
    map.on("click", hover);
    map.on("mouseout", () => {
      this.#hovering = undefined;
      this.#schedule();
    });
    map.on("move", () => {
      this.#schedule();
    });
    map.on("resize", () => {
      this.#schedule();
    });
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

  /** The pointer, which is the latest to have moved, else the crosshair; undefined beyond the world's edge. */
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
