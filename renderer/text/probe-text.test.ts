import { describe, expect, test } from "vitest";
import type { ProbeAnswer, ProbeReading } from "../map/scene.ts";
import { spokenProbe, toProbeLine } from "./probe-text.ts";

function reading(id: ProbeReading["id"], answer: ProbeAnswer): ProbeReading {
  return { id, frame: undefined, ...answer };
}

const hail = {
  id: "mrms-mesh",
  frame: undefined,
  kind: "class",
  from: 25.4,
  to: 26.19375,
  unit: "mm",
  color: "#f4e24a",
  hidden: false,
  withinKm: undefined,
} as const;

describe("a probe's words", () => {
  test("give hail as a class in both units, with its everyday size, as an estimate", () => {
    expect(toProbeLine(hail, "in")).toEqual({
      tone: "value",
      primary: "1.00–1.03 in",
      other: "25.4–26.2 mm",
      details: ["quarter size"],
      isEstimate: true,
      color: "#f4e24a",
    });
    expect(toProbeLine(hail, "mm")).toMatchObject({ primary: "25.4–26.2 mm", other: "1.00–1.03 in" });
  });

  test("say of a value that it is hidden on the map", () => {
    const { details } = toProbeLine({ ...hail, hidden: true }, "in");
    expect(details).toEqual(["quarter size", "hidden"]);
  });

  test("say of the highest value around the point how far it was looked for", () => {
    const { details } = toProbeLine({ ...hail, withinKm: 7.2 }, "in");
    expect(details).toEqual(["quarter size", "highest within 5 mi"]);
  });

  test("give reflectivity as a class in its one unit", () => {
    const line = toProbeLine(
      reading("mrms-reflectivity", {
        kind: "class",
        from: 55,
        to: 55.5,
        unit: "dBZ",
        color: "#d60000",
        hidden: false,
        withinKm: undefined,
      }),
      "in",
    );
    expect(line).toMatchObject({ primary: "55–55.5 dBZ", other: "", details: [], isEstimate: true });
  });

  test("distinguish the kinds of missing data by words and by looks", () => {
    const answers: ProbeAnswer[] = [
      { kind: "below-first", firstEdge: 5, unit: "dBZ" },
      { kind: "outside-coverage" },
      { kind: "not-delivered" },
      { kind: "failed", message: "The frame is gone." },
      { kind: "unexplained" },
      { kind: "loading" },
    ];
    const lines = answers.map((answer) => toProbeLine(reading("mrms-reflectivity", answer), "in"));
    expect(new Set(lines.map((line) => line.primary)).size).toBe(answers.length);
    expect(new Set(lines.map((line) => line.tone)).size).toBe(answers.length);
    expect(lines[0]?.primary).toBe("Below 5 dBZ or no echo");
    expect(lines[1]?.primary).toBe("Outside radar coverage");
    expect(lines[2]?.primary).toBe("Not received for this time");
    expect(lines[3]).toMatchObject({ primary: "Failed to load", details: ["The frame is gone."] });
    expect(lines.every((line) => line.color === undefined)).toBe(true);
  });

  test("give the first hail class in the wanted unit, rounded up", () => {
    const below = reading("mrms-mesh", { kind: "below-first", firstEdge: 3.175, unit: "mm" });
    expect(toProbeLine(below, "in").primary).toBe("No hail of 0.13 in or larger estimated");
    expect(toProbeLine(below, "mm").primary).toBe("No hail of 3.2 mm or larger estimated");
  });

  test("give no value for a picture without classes", () => {
    expect(toProbeLine(reading("mrms-mesh", { kind: "no-classes" }), "in")).toMatchObject({
      tone: "unknown",
      primary: "Picture without values",
    });
  });

  test("are one sentence without symbols for a screen reader", () => {
    expect(spokenProbe("Hail size (MESH)", toProbeLine(hail, "in"))).toBe(
      "Hail size (MESH): 1.00 to 1.03 inches, 25.4 to 26.2 millimeters, quarter size, estimate.",
    );
  });
});
