// The numbers of the swaths made last, so that each is counted once: when its picture is made.
import { toLineMarks } from "../../shared/analysis/swath-marks.ts";
import type { SwathFacts } from "./analysis-messages.ts";
import type { FrameRef } from "./frame-ref.ts";
import type { MadeSwath } from "./swath-maker.ts";

const mostHeld = 64;

/** The facts of the swath alone. */
export type HeldFacts = Omit<SwathFacts, "storm">;

export class SwathFactsShelf {
  /** By the URLs of the frames, the oldest first. */
  readonly #held = new Map<string, HeldFacts>();

  find(frames: readonly FrameRef[]): HeldFacts | undefined {
    return this.#held.get(toKey(frames));
  }

  hold(frames: readonly FrameRef[], made: MadeSwath): HeldFacts {
    const { parts } = made;
    const swath = made.swath?.toSwath();
    const classes = made.swath?.toClasses() ?? [];
    const top = swath && classes.length > 0 ? swath.classes.edges.indexOf(classes.at(-1)!.lower) + 1 : 0;
    const facts = { parts, classes, lines: swath ? toLineMarks(swath, top) : [] };
    this.#held.delete(toKey(frames));
    this.#held.set(toKey(frames), facts);
    const [oldest] = this.#held.keys();
    if (this.#held.size > mostHeld && oldest !== undefined) this.#held.delete(oldest);
    return facts;
  }
}

function toKey(frames: readonly FrameRef[]): string {
  return frames.map(({ imageUrl }) => imageUrl).join(" ");
}
