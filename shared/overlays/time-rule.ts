// Decides which shapes of an overlay belong to the picture on screen. The observed time decides, never the wall clock.
import type { OverlayContent, OverlayShape, TimeRule } from "./overlay.ts";

/** Says whether shapes without times are about every time, as in a file, or about the present. */
export type UntimedShapes = "always" | "now";

export interface PictureTime {
  readonly observedMs: number;
  /** The newest picture of a live event is on screen, and nothing is held back. */
  readonly isNow: boolean;
}

export interface ShownShapes {
  /** The same array as before while the set is the same. */
  readonly shapes: readonly OverlayShape[];
  /** Number of shapes that begin after the observed time. */
  readonly laterHidden: number;
  /** Number of shapes that are hidden because they are about the present, and the picture is not. */
  readonly heldBack: number;
  /** For `within` the minutes that count; for `valid-at` the times of the shapes shown, if they have any. */
  readonly span?: TimeSpan | undefined;
}

export interface TimeSpan {
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

const minuteMs = 60_000;

export function isTimed({ fromMs, toMs }: OverlayShape): boolean {
  return fromMs !== undefined || toMs !== undefined;
}

/** Returns the rule that fits the content until a person chooses another one. */
export function chooseTimeRule({ shapes }: OverlayContent, untimed: UntimedShapes): TimeRule {
  if (shapes.some(({ warning }) => warning)) return { kind: "valid-at" };
  const timed = shapes.filter(isTimed);
  if (timed.length === 0) return { kind: untimed };
  const instants = timed.filter(({ fromMs, toMs }) => fromMs === toMs);
  return instants.length * 2 > timed.length ? { kind: "within", minutes: 15 } : { kind: "valid-at" };
}

/** The shapes of one overlay with an index of their times, made once. */
export class TimedShapes {
  readonly #shapes: readonly OverlayShape[];
  readonly #untimed: UntimedShapes;
  /** Times of each shape; those that are open are infinite. */
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  /** Beginnings of the shapes that have times, ascending. */
  readonly #beginnings: Float64Array;
  readonly #untimedCount: number;
  /** For each length of the time that counts: the instants at which the set changes, ascending. */
  readonly #changes = new Map<number, Float64Array>();
  #last: {
    readonly key: string;
    readonly shapes: readonly OverlayShape[];
    readonly span: TimeSpan | undefined;
  };

  constructor(shapes: readonly OverlayShape[], untimed: UntimedShapes) {
    this.#shapes = shapes;
    this.#untimed = untimed;
    this.#from = Float64Array.from(shapes, ({ fromMs }) => fromMs ?? -Infinity);
    this.#to = Float64Array.from(shapes, ({ toMs }) => toMs ?? Infinity);
    const timed = shapes.filter(isTimed);
    this.#untimedCount = shapes.length - timed.length;
    this.#beginnings = Float64Array.from(timed, ({ fromMs }) => fromMs ?? -Infinity).sort();
    this.#last = { key: "", shapes: [], span: undefined };
  }

  show(rule: TimeRule, picture: PictureTime): ShownShapes {
    switch (rule.kind) {
      case "always":
        return { shapes: this.#hold("all", this.#shapes), laterHidden: 0, heldBack: 0 };
      case "now":
        return picture.isNow
          ? { shapes: this.#hold("all", this.#shapes), laterHidden: 0, heldBack: 0 }
          : { shapes: this.#hold("none", []), laterHidden: 0, heldBack: this.#shapes.length };
      case "valid-at":
        return this.#showTimed(0, picture);
      case "within": {
        const windowMs = rule.minutes * minuteMs;
        const span = { fromMs: picture.observedMs - windowMs, toMs: picture.observedMs };
        return { ...this.#showTimed(windowMs, picture), span };
      }
    }
  }

  #showTimed(windowMs: number, { observedMs, isNow }: PictureTime): ShownShapes {
    const withUntimed = this.#untimed === "always" || isNow;
    const segment = countUpTo(this.#findChanges(windowMs), observedMs);
    const key = `${windowMs} ${segment} ${withUntimed}`;
    if (key !== this.#last.key) {
      const isShown = (index: number): boolean => {
        const from = this.#from[index]!;
        const to = this.#to[index]!;
        if (from === -Infinity && to === Infinity) return withUntimed;
        return from <= observedMs && to >= observedMs - windowMs;
      };
      this.#hold(
        key,
        this.#shapes.filter((_, index) => isShown(index)),
      );
    }
    return {
      shapes: this.#last.shapes,
      laterHidden: this.#beginnings.length - countUpTo(this.#beginnings, observedMs),
      heldBack: withUntimed ? 0 : this.#untimedCount,
      span: this.#last.span,
    };
  }

  #findChanges(windowMs: number): Float64Array {
    const known = this.#changes.get(windowMs);
    if (known) return known;
    const changes = new Float64Array(2 * this.#from.length);
    changes.set(this.#from);
    changes.set(
      this.#to.map((to) => to + windowMs + 1),
      this.#from.length,
    );
    changes.sort();
    this.#changes.set(windowMs, changes);
    return changes;
  }

  /** Keeps the array of the last set if the new one is equal. */
  #hold(key: string, found: readonly OverlayShape[]): readonly OverlayShape[] {
    const last = this.#last.shapes;
    const isSame = last.length === found.length && found.every((shape, index) => shape === last[index]);
    this.#last = isSame ? { ...this.#last, key } : { key, shapes: found, span: findSpan(found) };
    return this.#last.shapes;
  }
}

function findSpan(shapes: readonly OverlayShape[]): TimeSpan | undefined {
  const timed = shapes.filter(isTimed);
  if (timed.length === 0) return undefined;
  let from = Infinity;
  let to = -Infinity;
  for (const { fromMs = -Infinity, toMs = Infinity } of timed) {
    from = Math.min(from, fromMs);
    to = Math.max(to, toMs);
  }
  return { fromMs: Number.isFinite(from) ? from : undefined, toMs: Number.isFinite(to) ? to : undefined };
}

/** Returns how many of the ascending values are at most `most`. */
function countUpTo(values: Float64Array, most: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
