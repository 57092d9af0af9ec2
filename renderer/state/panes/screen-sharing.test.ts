import { expect, test } from "vitest";
import { createViewerStore } from "../store.ts";
import { shareScreen, toSharedState } from "./screen-sharing.ts";

test("a place that is pinned in any pane is pinned in all, and its story opens in pane A", () => {
  const main = createViewerStore();
  const pane = createViewerStore(toSharedState(main.getState()));
  const stop = shareScreen(main, pane);
  pane.getState().pinPlace({ label: "Norman", coordinate: [-97.4, 35.2] });
  expect(main.getState().pins).toMatchObject([{ label: "Norman" }]);
  expect(main.getState().storyOpen).toBe(true);
  expect(pane.getState().pins).toBe(main.getState().pins);
  stop();
});
