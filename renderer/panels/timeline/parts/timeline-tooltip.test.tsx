import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { createViewerStore } from "../../../state/store.ts";
import { exampleStore, type ExampleFrame } from "../../../support/example-data.ts";
import { ViewerContext, type Viewer } from "../../../viewer-context.ts";
import { TimelineTooltip } from "./timeline-tooltip.tsx";

/** Returns the class of the words for the last frame. */
function toneOf(...frames: readonly ExampleFrame[]): string | undefined {
  const { history } = exampleStore(frames).getState();
  const viewer = { store: createViewerStore({ history }) } as Viewer;
  const html = renderToStaticMarkup(
    <ViewerContext value={viewer}>
      <TimelineTooltip revision={history.revisions.at(-1)!} xPx={0} widthPx={900} />
    </ViewerContext>,
  );
  return /<\/strong><span class="(\w+)"/.exec(html)?.[1];
}

test("a kind has the tone of its color in the key: an added layer is quiet, even a late one", () => {
  const first: ExampleFrame = { sequence: 1, minute: 0, only: "mrms-reflectivity" };
  const later: ExampleFrame = { sequence: 2, minute: 2 };
  expect(toneOf(first)).toBe("quiet");
  expect(toneOf(first, later, { sequence: 3, minute: 0 })).toBe("quiet");
  expect(toneOf(first, later, { sequence: 3, minute: 0, variant: "b" })).toBe("warning");
  expect(toneOf(later, { sequence: 3, minute: 0 })).toBe("warning");
});
