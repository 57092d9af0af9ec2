// Verification during retention: a frame that retention removes is not reported as missing.
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { createFrameStore } from "../files/file-frame-store.ts";
import { layerOf, openTestCatalog } from "../support/drafts.ts";
import { pictureOf } from "../support/pictures.ts";
import { frameFileOf } from "../support/sample-directory.ts";
import { verifyDirectory } from "./verify-directory.ts";

test("a frame that is removed with its revision during a verification is not a fault", async () => {
  const { catalog, directory, clock } = await openTestCatalog();
  const store = createFrameStore({ directory });
  const event = { id: "live", kind: "operational-feed" } as const;
  for (let window = 0; window < 20; window += 1) {
    const frameId = await store.put(pictureOf(window));
    clock.nowMs += 120_000;
    await catalog.publish({
      event,
      layers: [{ ...layerOf({ seconds: window * 120 }), frameId }],
      assetIds: [],
    });
  }
  let pruning: Promise<unknown> | undefined;
  const { findings } = await verifyDirectory(directory, {
    // The first step comes after the snapshot was taken, and before any frame was checked.
    onProgress: () => {
      pruning ??= catalog.prune("live", 240_000);
    },
  });
  await pruning;
  expect((await catalog.listRevisions("live", 360)).length).toBeLessThan(20);
  expect(findings.filter(({ severity }) => severity === "fault")).toEqual([]);
});

test("a frame that is missing while its revision exists is a fault, also during retention", async () => {
  const { catalog, directory } = await openTestCatalog();
  const frameId = await createFrameStore({ directory }).put(pictureOf(1));
  const event = { id: "live", kind: "operational-feed" } as const;
  await catalog.publish({ event, layers: [{ ...layerOf(), frameId }], assetIds: [] });
  rmSync(frameFileOf(directory, frameId));
  const { findings } = await verifyDirectory(directory);
  expect(findings.map(({ severity }) => severity)).toEqual(["fault"]);
});
