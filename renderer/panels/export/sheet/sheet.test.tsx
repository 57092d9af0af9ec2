import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { createPanesStore } from "../../../state/panes/pane-store.ts";
import { exampleEventId, exampleStore, instantOf, steadyFrames } from "../../../support/example-data.ts";
import type { Viewer } from "../../../viewer-context.ts";
import { Sheet, type SheetPart } from "./sheet.tsx";
import { freezeViewer } from "./sheet-state.ts";

type Click = readonly [longitude: number, minute: number];

/** Returns the notes on a sheet after clicks of "Storm motion". */
function notesOf(clicks: readonly Click[], gap?: SheetPart["gap"]): (string | undefined)[] {
  const store = exampleStore(steadyFrames(3));
  store.getState().toggleTool("motion", exampleEventId);
  for (const [longitude, minute] of clicks) {
    const observedMs = Date.parse(instantOf(minute));
    store.getState().addToolPoint({ coordinate: [longitude, 42], observedMs });
  }
  const pane = {
    letter: "A",
    store,
    followPublished: () => () => undefined,
    retry: () => undefined,
  } as const;
  const main = { ...pane, panes: { store: createPanesStore(pane) }, session: pane } as unknown as Viewer;
  const place = { leftPx: 0, topPx: 0, widthPx: 1200, heightPx: 675, footPx: 0, gap };
  const html = renderToStaticMarkup(
    <Sheet
      parts={[{ viewer: freezeViewer(main, store.getState()), ...place }]}
      includes={{ legend: true, places: true, pins: true, ground: true }}
      theme="dark"
    />,
  );
  return [...html.matchAll(/<p class="note[^>]*>(.*?)<\/p>/g)].map(([, words]) => words);
}

test("a sheet with a storm motion says that it is no forecast, in the gaps of a loop too", () => {
  const clicks = [
    [-96, 0],
    [-95.9, 4],
  ] as const;
  const gap = { fromMs: Date.parse(instantOf(6)), toMs: Date.parse(instantOf(8)) };
  const note = "Not a forecast: storm motion if it keeps its speed and path";
  expect(notesOf([])).toEqual([]);
  expect(notesOf(clicks.slice(0, 1))).toEqual([]);
  expect(notesOf(clicks)).toEqual([note]);
  expect(notesOf(clicks, gap)).toEqual([note]);
});
