import { describe, expect, test } from "vitest";
import { examplePane, exampleRevision, exampleView } from "./support/any-view.ts";
import type { CitableView } from "./citable-view.ts";
import {
  describeDifferences,
  type PaneHere,
  type RevisionHere,
  type ScreenHere,
} from "./view-differences.ts";

const same: RevisionHere = {
  sequence: 23,
  id: exampleRevision.id,
  observedAt: exampleRevision.observedAt,
  layers: exampleRevision.layers,
};
const other = (sequence: number, minute = 50): RevisionHere => ({
  ...same,
  sequence,
  id: `r${sequence}`,
  observedAt: `2026-05-20T21:${minute}:10Z`,
});
/** A later revision of the same window. */
const replacement = other(41, 46);

const pane: PaneHere = {
  hasEvent: true,
  revisions: [other(22, 44), same, other(24, 48)],
  failedFrames: new Set(),
  unreadFrames: new Set(),
  damagedFrames: new Set(),
  swathFrames: undefined,
  isDrawn: true,
};
const screen: ScreenHere = {
  panes: [pane],
  palettes: ["echotop", "nws"],
  groundParts: ["counties", "highways"],
  hasOwnMap: false,
  unlocked: undefined,
};

function sentencesOf(changes: Partial<PaneHere>, view: CitableView = exampleView): string[] {
  return describeDifferences(view, { ...screen, panes: [{ ...pane, ...changes }] }).map(
    ({ sentence }) => sentence,
  );
}

const withLayers = (layers: RevisionHere["layers"], ...more: RevisionHere[]): Partial<PaneHere> => ({
  revisions: [other(22, 44), { ...same, layers }, ...more],
});
const [reflectivity, hail] = exampleRevision.layers as [PinnedLayer, PinnedLayer];
type PinnedLayer = (typeof exampleRevision.layers)[number];

describe("the differences of a pinned view", () => {
  test("are none where everything is as it was", () => {
    expect(describeDifferences(exampleView, screen)).toEqual([]);
  });

  test.each<[string, Partial<PaneHere>, string[]]>([
    [
      "an event that is not here",
      { hasEvent: false },
      ["The event “Demonstration storm (synthetic)” (demonstration) is not here."],
    ],
    [
      "a frame that the service does not give, and what replaced it",
      { failedFrames: new Set([hail.frame]), revisions: [same, replacement] },
      ["The Hail size (MESH) frame of revision 23 is missing; revision 41 has replaced it."],
    ],
    [
      "a frame that the revision lacks",
      withLayers([hail]),
      ["The Composite reflectivity frame of revision 23 is missing."],
    ],
    [
      "a withdrawn revision",
      { revisions: [other(22), other(24)] },
      ["Revision 23 is missing: it was withdrawn."],
    ],
    [
      "a withdrawn revision that was replaced",
      { revisions: [other(22), replacement] },
      ["Revision 23 is missing: it was withdrawn; revision 41 has replaced it."],
    ],
    [
      "a revision that is not here yet",
      { revisions: [other(7)] },
      ["Revision 23 is missing: the newest one here is revision 7."],
    ],
    [
      "a revision that is no longer kept",
      { revisions: [other(90)] },
      ["Revision 23 is missing: the oldest one here is revision 90."],
    ],
    ["an empty event", { revisions: [] }, ["Revision 23 is missing: the event has no revisions here."]],
    [
      "another revision of this number",
      { revisions: [{ ...same, id: "20260520T214610Z-9" }] },
      ["Revision 23 is another one here: 20260520T214610Z-9 instead of 20260520T214610Z-23."],
    ],
    [
      "a frame of another hash",
      withLayers([reflectivity, { ...hail, frame: "c".repeat(64) }]),
      [
        "The Hail size (MESH) frame of revision 23 is another one: its hash begins cccccccccccc instead of bbbbbbbbbbbb.",
      ],
    ],
    [
      "bytes without their hash",
      { damagedFrames: new Set([reflectivity.frame]) },
      ["The Composite reflectivity frame of revision 23 is damaged: its bytes do not have their hash."],
    ],
    [
      "a frame at another place",
      withLayers([reflectivity, { ...hail, bounds: [-99, 34.5, -97, 35.5] }]),
      ["The Hail size (MESH) frame of revision 23 lies elsewhere here than in the view."],
    ],
    [
      "a newer revision of the same window, if nothing else differs",
      { revisions: [same, replacement] },
      ["Revision 41 has replaced revision 23 since; this is revision 23, as it was."],
    ],
    ["a picture that was not drawn", { isDrawn: false }, ["The picture could not be drawn in time."]],
  ])("name %s", (_, changes, sentences) => {
    expect(sentencesOf(changes)).toEqual(sentences);
  });

  test("name the revision to show instead", () => {
    const [difference] = describeDifferences(exampleView, {
      ...screen,
      panes: [{ ...pane, revisions: [other(22), replacement] }],
    });
    expect(difference).toMatchObject({ kind: "revision-missing", replacedBy: 41, pane: 0 });
  });

  test("leave out what came after the publication as of which the view looked", () => {
    const knownAt = { ...exampleView, panes: [{ ...examplePane, knownAt: 30 }] };
    expect(sentencesOf({ revisions: [same, replacement] }, knownAt)).toEqual([]);
  });

  test("name the earlier revision of a comparison, but not that it was replaced", () => {
    const before = { ...exampleRevision, sequence: 22, id: "r22", observedAt: "2026-05-20T21:46:10Z" };
    const comparing = { before, layer: "mrms-mesh", side: "swipe", swipeAt: 0.5, threshold: 0 } as const;
    const view: CitableView = { ...exampleView, panes: [{ ...examplePane, comparing }] };
    expect(sentencesOf({ revisions: [other(22, 46), same] }, view)).toEqual([]);
    expect(sentencesOf({ revisions: [other(21), same] }, view)).toEqual([
      "Revision 22 is missing: it was withdrawn; revision 23 has replaced it.",
    ]);
  });

  test("name a swath of other frames, and what it leaves out", () => {
    const soFar = { product: "mrms-mesh", opacity: 1, first: 1, frames: 12 } as const;
    const view: CitableView = { ...exampleView, panes: [{ ...examplePane, soFar }] };
    expect(sentencesOf({ swathFrames: 12 }, view)).toEqual([]);
    expect(sentencesOf({ swathFrames: 11, revisions: [same, other(33), other(34)] }, view)).toEqual([
      "The largest values so far are made of 11 frames here instead of 12.",
      "The largest values so far are those of the view, as known at revision 32; 2 revisions are newer.",
    ]);
  });

  test("name the pane, where there are several, and the lock that is off", () => {
    const panes = [examplePane, examplePane];
    const found = describeDifferences(
      { ...exampleView, panes },
      { ...screen, panes: [pane, { ...pane, hasEvent: false }], unlocked: { pane: 1, to: 41 } },
    );
    expect(found.map(({ sentence }) => sentence)).toEqual([
      "Pane B: The event “Demonstration storm (synthetic)” (demonstration) is not here.",
      "The lock of the panes is off: it would move pane B to revision 41.",
    ]);
  });

  test("name colors, ground and map files that this machine lacks", () => {
    const view = { ...exampleView, palette: "sepia", ground: ["counties", "rails"], ownMap: true };
    expect(describeDifferences(view, screen).map(({ kind }) => kind)).toEqual([
      "palette-unknown",
      "ground-unknown",
      "map-file",
    ]);
    const tables = [{ product: "mrms-mesh" as const, name: "my hail" }];
    expect(describeDifferences({ ...exampleView, tables }, screen)).toMatchObject([
      {
        kind: "table-missing",
        sentence: expect.stringContaining("The color table “my hail” is too large for the view:") as string,
      },
    ]);
    expect(describeDifferences(exampleView, { ...screen, hasOwnMap: true })).toMatchObject([
      { sentence: "Your own map file is under the storm." },
    ]);
  });
});
