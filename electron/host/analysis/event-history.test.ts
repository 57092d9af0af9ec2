// The revisions of an event as the analyses read them.
import { expect, test } from "vitest";
import { toStandingLayers } from "../../../shared/analysis/window-layers.ts";
import { draftOf, layerOf, openTestCatalog } from "../../catalog/support/drafts.ts";
import { readHistory } from "./event-history.ts";

test("a correction that moves the same picture is another layer", async () => {
  const { catalog } = await openTestCatalog();
  await catalog.publish(draftOf("a", { message: "here" }));
  const { frameId } = layerOf({ message: "here" });
  const moved = layerOf({ message: "there", bounds: [-99, 30, -89, 40] });
  await catalog.publish({ ...draftOf("a"), layers: [{ ...moved, frameId }] });
  const { revisions } = await readHistory(catalog, "a", new AbortController().signal);
  expect(revisions.map(({ layers }) => layers[0]!.frameId)).toEqual(Array(2).fill(frameId));
  expect(toStandingLayers(revisions).map(({ since }) => since.sequence)).toEqual([2]);
});
