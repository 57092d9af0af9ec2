// Gathers the shapes of one file within the limits, and refuses the file beyond them: nothing partial is shown.
import { AppError } from "../../app-error.ts";
import type { Bounds, Coordinate } from "../../contract/primitives.ts";
import {
  overlayLimits,
  type OverlayContent,
  type OverlayFormat,
  type OverlayGeometry,
  type OverlayShape,
} from "../overlay.ts";

/** A file as its readers get it. */
export interface OverlayFile {
  /** Name for sentences, without a folder. */
  readonly name: string;
  readonly text: string;
}

/** Returns the error that refuses a file: `reason` goes on after its name, such as `is not JSON`. */
export function refuse(name: string, reason: string, cause?: unknown): AppError {
  return new AppError("source-invalid", `${name} ${reason}.`, { cause });
}

/** Refuses a file of more points than can be drawn. */
export function refuseManyPoints(name: string): AppError {
  return refuse(name, `has more than ${overlayLimits.points.toLocaleString("en-US")} points`);
}

export class ShapeGatherer {
  readonly name: string;
  readonly #shapes: OverlayShape[] = [];
  readonly #notes = new Map<string, number>();
  #points = 0;
  #outside = 0;
  #bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];

  constructor(name: string) {
    this.name = name;
  }

  /** Leaves out shapes with a place that is not on the globe, and notes it. */
  add(shape: OverlayShape): void {
    const places = listPlaces(shape.geometry);
    this.#points += places.length;
    if (this.#points > overlayLimits.points) throw refuseManyPoints(this.name);
    if (this.#shapes.length >= overlayLimits.shapes)
      throw refuse(this.name, `has more than ${overlayLimits.shapes.toLocaleString("en-US")} shapes`);
    if (!places.every(isOnGlobe)) {
      this.#outside += 1;
      this.note("Shapes beyond longitude 180 or latitude 90 are left out");
      return;
    }
    for (const place of places) this.#cover(place);
    this.#shapes.push(shape);
  }

  /** Tells of a part that is not drawn, in a sentence without its full stop; a repeated one gets a count. */
  note(sentence: string): void {
    this.#notes.set(sentence, (this.#notes.get(sentence) ?? 0) + 1);
  }

  finish(
    format: OverlayFormat,
    about: Pick<OverlayContent, "title" | "refreshSeconds"> = {},
  ): OverlayContent {
    if (this.#shapes.length === 0 && this.#outside > 0)
      throw refuse(this.name, "has no longitudes and latitudes: its places are beyond 180° and 90°");
    return {
      format,
      ...about,
      shapes: this.#shapes,
      notes: [...this.#notes].map(([sentence, count]) =>
        count === 1 ? `${sentence}.` : `${sentence} (${count}).`,
      ),
      bounds: this.#shapes.length === 0 ? undefined : (this.#bounds satisfies Bounds),
    };
  }

  #cover([longitude, latitude]: Coordinate): void {
    const bounds = this.#bounds;
    bounds[0] = Math.min(bounds[0], longitude);
    bounds[1] = Math.min(bounds[1], latitude);
    bounds[2] = Math.max(bounds[2], longitude);
    bounds[3] = Math.max(bounds[3], latitude);
  }
}

function listPlaces(geometry: OverlayGeometry): readonly Coordinate[] {
  if (geometry.type === "Point") return [geometry.coordinates];
  return geometry.type === "LineString" ? geometry.coordinates : geometry.coordinates.flat();
}

function isOnGlobe([longitude, latitude]: Coordinate): boolean {
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
}
