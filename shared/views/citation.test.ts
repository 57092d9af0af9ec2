import { expect, test } from "vitest";
import { toNewestView } from "./citable-view.ts";
import { toCitation } from "./citation.ts";
import { examplePane, exampleRevision, exampleView } from "./support/any-view.ts";

const credits = {
  attribution: "Echotop demonstration generator (not NOAA data)",
  disclosure: "SYNTHETIC: these storms never happened.",
};

test("a citation has times, number, id, hashes, credits, disclosure and link", () => {
  expect(toCitation(exampleView, [credits], "echotop://view?v=1")).toBe(
    "Demonstration storm (synthetic), revision 23 (20260520T214610Z-23), observed 2026-05-20 21:46:10 UTC, " +
      "published 2026-05-20 21:48:47 UTC, " +
      `Composite reflectivity (SHA-256 ${"a".repeat(64)}), Hail size (MESH) (SHA-256 ${"b".repeat(64)}). ` +
      "Echotop demonstration generator (not NOAA data). SYNTHETIC: these storms never happened.\n" +
      "Echotop view: echotop://view?v=1",
  );
});

test("a citation says as of when, what is hidden, compared and gathered, and names panes", () => {
  const pane = {
    ...examplePane,
    knownAt: 30,
    layers: [{ id: "mrms-mesh", visible: true, opacity: 1 } as const],
    soFar: { product: "mrms-mesh", opacity: 1, first: 3, frames: 20 } as const,
    comparing: {
      before: { ...exampleRevision, sequence: 9 },
      ...({ layer: "mrms-mesh", side: "swipe", swipeAt: 0.5, threshold: 0 } as const),
    },
  };
  const [first, second] = toCitation(
    { ...exampleView, panes: [pane, examplePane] },
    [credits, credits],
    "L",
  ).split("\n");
  expect(first).toContain("Pane A: Demonstration storm (synthetic), revision 23");
  expect(first).toContain("as known at revision 30");
  expect(first).toContain("largest Hail size (MESH) since revision 3");
  expect(first).toContain("compared with revision 9");
  expect(first).not.toContain("Composite reflectivity");
  expect(second).toMatch(/^Pane B: /);
});

test("a citation of the newest names no revision", () => {
  expect(toCitation(toNewestView(exampleView), [credits], "L")).toMatch(
    /^Demonstration storm \(synthetic\), newest revision, Composite reflectivity, Hail size \(MESH\)\. /,
  );
});
