import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { createViewerStore } from "../../state/store.ts";
import { ViewerContext, type Viewer } from "../../viewer-context.ts";
import { AddEvents } from "./add-events.tsx";

test("every field has a label of its own, which counts as its name even while it is scrolled out of sight", () => {
  const viewer = { store: createViewerStore() } as Viewer;
  const html = renderToStaticMarkup(
    <ViewerContext value={viewer}>
      <AddEvents />
    </ViewerContext>,
  );
  const labeled = [...html.matchAll(/<label for="([^"]+)">/g)].map(([, id]) => id);
  const fields = [...html.matchAll(/<input [^>]*>/g)].map(([field]) => / id="([^"]+)"/.exec(field)?.[1]);
  expect(fields).toHaveLength(5);
  expect(labeled.toSorted()).toEqual(fields.toSorted());
});
