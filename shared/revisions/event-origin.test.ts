import { describe, expect, test } from "vitest";
import {
  disclosureOf,
  markLabel,
  markReplay,
  natureOf,
  replayDisclosureOf,
  splitLabel,
} from "./event-origin.ts";

describe("labels", () => {
  test("carry the mark of their origin exactly once", () => {
    expect(markLabel("Plains", "observed")).toBe("Plains");
    expect(markLabel("Plains", "synthetic")).toBe("Plains (synthetic)");
    expect(markLabel("Plains (synthetic)", "synthetic")).toBe("Plains (synthetic)");
  });

  test("of a replay keep their marks and get that of a replay once", () => {
    expect(markReplay("Plains")).toBe("Plains (replay)");
    expect(markReplay("Plains (synthetic)")).toBe("Plains (synthetic) (replay)");
    expect(markLabel("Plains (synthetic) (replay)", "synthetic")).toBe("Plains (synthetic) (replay)");
    expect(markReplay(markReplay("Plains (synthetic)"))).toBe("Plains (synthetic) (replay)");
  });

  test.each([
    ["Plains", "Plains", ""],
    ["Plains (replay)", "Plains", " (replay)"],
    ["Plains (synthetic) (replay)", "Plains", " (synthetic) (replay)"],
    ["A (replay) of mine", "A (replay) of mine", ""],
    ["(replay)", "(replay)", ""],
  ])("%s is split at its marks", (label, name, marks) => {
    expect(splitLabel(label)).toEqual({ name, marks });
  });

  test("show the nature of an event, also of a replay of synthetic storms", () => {
    const nature = (label: string, kind: "historical-event" | "operational-feed"): string =>
      natureOf({ label, kind });
    expect(nature("Plains", "operational-feed")).toBe("live");
    expect(nature("Plains", "historical-event")).toBe("benchmark");
    expect(nature("Plains (synthetic)", "historical-event")).toBe("synthetic");
    expect(nature("Plains (replay)", "operational-feed")).toBe("replay");
    expect(nature("Plains (synthetic) (replay)", "historical-event")).toBe("synthetic-replay");
  });
});

describe("the disclosure of a replay", () => {
  test.each(["observed", "synthetic"] as const)("says replay, once, before what was said of %s", (origin) => {
    const replayed = replayDisclosureOf(disclosureOf(origin));
    expect(replayed).toMatch(/^REPLAY of an event/);
    expect(replayed.endsWith(disclosureOf(origin))).toBe(true);
    expect(replayDisclosureOf(replayed)).toBe(replayed);
  });
});
