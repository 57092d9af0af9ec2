import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { windowMs } from "./observation-window.ts";
import { toLoopFrames } from "./loop-frames.ts";

function toRevision(sequence: number, window: number) {
  return { sequence, window, observedAt: new Date(window * windowMs + 40_000).toISOString() };
}

/** `r4` for revision 4, `g2-3` for a gap of the windows 2 and 3. */
function words(frames: ReturnType<typeof toLoopFrames<ReturnType<typeof toRevision>>>): string {
  return frames
    .map((frame) =>
      "revision" in frame
        ? `r${frame.revision.sequence}`
        : `g${frame.gap.fromMs / windowMs}-${frame.gap.toMs / windowMs - 1}`,
    )
    .join(" ");
}

describe("the frames of a loop", () => {
  const all = [1, 2, 5, 6].map((window, index) => toRevision(index + 1, window));

  test("have one frame for the windows that are missing between two revisions", () => {
    expect(words(toLoopFrames(all, all))).toBe("r1 r2 g3-4 r3 r4");
  });

  test("have no gap for windows that were left out of the loop by choice", () => {
    expect(words(toLoopFrames([all[0]!, all[3]!], all))).toBe("r1 g3-4 r4");
  });

  test("show a window as missing until it arrives late, and no gap where the order steps back", () => {
    const late = [toRevision(1, 1), toRevision(2, 3), toRevision(3, 2), toRevision(4, 4)];
    expect(words(toLoopFrames(late, late))).toBe("r1 g2-2 r2 r3 r4");
    const observed = [late[0]!, late[2]!, late[1]!, late[3]!];
    expect(words(toLoopFrames(observed, late))).toBe("r1 r3 r2 r4");
  });

  test("keep every revision in its order, and gaps hold no window of an earlier revision", () => {
    const list = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 20 });
    fc.assert(
      fc.property(list, (windows) => {
        const revisions = windows.map((window, index) => toRevision(index + 1, window));
        const frames = toLoopFrames(revisions, revisions);
        expect(frames.flatMap((frame) => ("revision" in frame ? [frame.revision] : []))).toEqual(revisions);
        const seen = new Set<number>();
        for (const frame of frames) {
          if ("revision" in frame) seen.add(frame.revision.window);
          else
            for (let at = frame.gap.fromMs; at < frame.gap.toMs; at += windowMs)
              expect(seen.has(at / windowMs)).toBe(false);
        }
      }),
    );
  });
});
