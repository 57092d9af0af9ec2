// Reports where the person points: the pointer, the keyboard's crosshair in the middle of the map, the pinned point.
// Reports at most once per animation frame, and again when the map moves under a resting pointer or a pin.
import type { Map as MapLibreMap, MapMouseEvent } from "maplibre-gl";
import { mercatorMaxLatitude } from "../../shared/geo/mercator.ts";
import "./pointer-reporter.css";
import type { Coordinate } from "../../shared/contract/index.ts";
import type { GuestPoint, MapPointer, StormMapEvents } from "./scene.ts";

type Point = Omit<MapPointer, "coordinate">;
type PointerEvents = Pick<StormMapEvents, "onPointer" | "onPin" | "onPress">;

export class PointerReporter {
  readonly #map: MapLibreMap;
  readonly #events: PointerEvents;
  readonly #crosshair: HTMLElement;
  /** The mouse or pen while it is over the map. */
  #hovering: Point | undefined;
  #guest: GuestPoint | undefined;
  #request: number | undefined;
  #wasReported = false;
  #pinned: Coordinate | undefined;
  #wasPinReported = false;

  constructor(map: MapLibreMap, events: PointerEvents) {
    this.#map = map;
    this.#events = events;
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
    map.on("click", (event) => {
      hover(event);
      const pressed = this.#findPointer();
      if (pressed) events.onPress(pressed);
    });
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

  /** Reports a point of another map while the person points at none of this one. */
  setGuest(guest: GuestPoint | undefined): void {
    this.#guest = guest;
    this.#schedule();
  }

  /** Follows this point with `onPin` until it is another one or undefined. */
  setPin(pinned: Coordinate | undefined): void {
    this.#pinned = pinned;
    this.#schedule();
  }

  close(): void {
    if (this.#request !== undefined) cancelAnimationFrame(this.#request);
    this.#crosshair.remove();
  }

  #schedule(): void {
    this.#request ??= requestAnimationFrame(() => {
      this.#request = undefined;
      const pin = this.#findPin();
      if (pin || this.#wasPinReported) this.#events.onPin(pin);
      this.#wasPinReported = pin !== undefined;
      const pointer = this.#findPointer();
      if (pointer || this.#wasReported) this.#events.onPointer(pointer);
      this.#wasReported = pointer !== undefined;
    });
  }

  /**
   * Returns the pointer if it is over the map, else the crosshair, else the point of another map; undefined beyond the
   * edge of the world.
   */
  #findPointer(): MapPointer | undefined {
    const point = this.#hovering ?? this.#middle() ?? this.#findGuest();
    if (!point) return undefined;
    const { lng, lat } = this.#map.unproject([point.xPx, point.yPx]);
    if (Math.abs(lng) > 180 || Math.abs(lat) > mercatorMaxLatitude) return undefined;
    return { ...point, coordinate: [lng, lat] };
  }

  #findGuest(): Point | undefined {
    if (!this.#guest) return undefined;
    const { source } = this.#guest;
    if ("coordinate" in this.#guest) {
      const { x, y } = this.#map.project([...this.#guest.coordinate]);
      return { source, xPx: x, yPx: y, isGuest: true };
    }
    const { clientWidth, clientHeight } = this.#map.getContainer();
    const [across, down] = this.#guest.spot;
    return { source, xPx: across * clientWidth, yPx: down * clientHeight, isGuest: true };
  }

  #findPin(): MapPointer | undefined {
    if (!this.#pinned) return undefined;
    const { x, y } = this.#map.project([...this.#pinned]);
    return { source: "pin", xPx: x, yPx: y, coordinate: this.#pinned };
  }

  #middle(): Point | undefined {
    if (this.#crosshair.hidden) return undefined;
    const { clientWidth, clientHeight } = this.#map.getContainer();
    return { source: "crosshair", xPx: clientWidth / 2, yPx: clientHeight / 2 };
  }
}
