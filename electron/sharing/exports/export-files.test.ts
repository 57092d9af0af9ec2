import { describe, expect, test } from "vitest";
import { windowMs } from "../../../shared/revisions/observation-window.ts";
import { toPath } from "./png-files.ts";
import { toHead } from "./frame-words.ts";
import { toFrames, type ExportedFrame, type ExportPlan } from "./read-frames.ts";

describe("the file of a picture", () => {
  test.each([
    ["/a/storm.png", 1, "/a/storm.png"],
    ["/a/storm.png", 2, "/a/storm-7.png"],
    ["/a/storm", 2, "/a/storm-7"],
    ["/a/r{sequence}.png", 1, "/a/r7.png"],
    ["/a/r{sequence}-{sequence}.png", 2, "/a/r7-7.png"],
    ["/a.b/{sequence}/storm.png", 2, "/a.b/{sequence}/storm-7.png"],
  ])("%s of %d is named %s", (out, count, path) => {
    expect(toPath(out, 7, count)).toBe(path);
  });
});

/** Returns `r` for a revision and the number of windows for a gap, for an event observed in these windows. */
function framesOf(windows: readonly number[], chosen = windows): string {
  const revisions = windows.map((window, index) => ({
    sequence: index + 1,
    observedAt: new Date(window * windowMs + 40_000).toISOString(),
  }));
  const shown = chosen.map((window) => revisions[windows.indexOf(window)]!);
  const frames = toFrames({ revisions: shown, history: revisions } as unknown as ExportPlan);
  return frames
    .map((frame) => ("gap" in frame ? (frame.gap.toMs - frame.gap.fromMs) / windowMs : "r"))
    .join(" ");
}

describe("a loop", () => {
  test("has a frame for each missing window, and one for more than an hour of them", () => {
    expect(framesOf([1, 2, 3])).toBe("r r r");
    expect(framesOf([1, 2, 5])).toBe("r r 1 1 r");
    expect(framesOf([1, 4])).toBe("r 1 1 r");
    expect(framesOf([1, 2, 40])).toBe("r r 37 r");
  });

  test("of an event that is observed less often misses only what is missing there", () => {
    expect(framesOf([0, 5, 10, 15])).toBe("r r r r");
    expect(framesOf([0, 5, 15])).toBe("r r 1 r");
  });

  test("has no frame for revisions that were left out by choice", () => {
    expect(framesOf([1, 2, 3, 4], [1, 4])).toBe("r r");
    expect(framesOf([1, 2, 3, 4], [4, 1])).toBe("r r");
  });
});

describe("the time of publication", () => {
  const observedAt = "2024-05-20T22:00:40Z";
  /** Returns caption and detail of the second fact. */
  const wordsOf = (event: object, publishedAt: string): string => {
    const layers = [{ layer: { observedAt } }];
    const frame = { revision: { observedAt, publishedAt, layers, lacking: [], sequence: 1, kind: "new" } };
    const plan = { event: { label: "Plains hail", latestSequence: 1, ...event } };
    const { facts } = toHead(frame as unknown as ExportedFrame, plan as unknown as ExportPlan);
    return `${facts[1]!.caption}, ${facts[1]!.detail}`;
  };
  const live = { kind: "operational-feed", status: "active" };

  test.each([
    [live, "2024-05-20T22:02:53Z", "Published, +2 min 13 s"],
    [{ ...live, status: "complete" }, "2024-05-20T22:02:53Z", "Added here, +2 min 13 s"],
    [{ kind: "historical-event", status: "active" }, "2024-11-22T09:00:00Z", "Added here, 22 November 2024"],
    [live, "2024-05-21T22:00:40Z", "Published, 21 May 2024"],
  ])("has the words of the viewer", (event, publishedAt, words) => {
    expect(wordsOf(event, publishedAt)).toBe(words);
  });
});
