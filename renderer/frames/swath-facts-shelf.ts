// The numbers of the swaths made last, so that each is counted once: when its picture is made.
import { toSwathClasses } from "../../shared/analysis/swath.ts";
import type { SwathFacts } from "./analysis-messages.ts";
import type { FrameRef } from "./frame-ref.ts";
import type { MadeSwath } from "./swath-maker.ts";

const mostHeld = 64;

export class SwathFactsShelf {
  /** By the URLs of the frames, the oldest first. */
  readonly #held = new Map<string, SwathFacts>();

  find(frames: readonly FrameRef[]): SwathFacts | undefined {
    return this.#held.get(toKey(frames));
  }

  hold(frames: readonly FrameRef[], { swath, parts }: MadeSwath): SwathFacts {
    const facts = { parts, classes: swath ? toSwathClasses(swath) : [] };
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
