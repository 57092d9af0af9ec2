// Tests a clock that jumps back and forth while a feed's event is filled and pruned. Sequences rise without a gap,
// publication times never go back, and retention follows observation times.
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { futureToleranceMs } from "../../electron/catalog/plans/event-rules.ts";
import { createFrameStore } from "../../electron/catalog/files/file-frame-store.ts";
import { openCatalog } from "../../electron/catalog/sqlite/open-catalog.ts";
import { layerOf, startMs, temporaryDirectory } from "../../electron/catalog/support/drafts.ts";
import { pictureOf } from "../../electron/catalog/support/pictures.ts";
import { isAppError } from "../../shared/app-error.ts";
import { findFaults } from "./storm-job.ts";

const keepMs = 600_000;
const hourMs = 3_600_000;

test(
  "a jumping clock breaks neither sequences nor publication times nor verification",
  { timeout: 60_000 },
  async () => {
    const root = await temporaryDirectory();
    let directories = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -48 * hourMs, max: 48 * hourMs }), { minLength: 4, maxLength: 16 }),
        async (jumps) => {
          const directory = join(root, String(directories++));
          let nowMs = startMs + hourMs;
          const catalog = await openCatalog({ directory, now: () => new Date(nowMs) });
          const store = createFrameStore({ directory });
          const event = { id: "live", kind: "operational-feed" } as const;
          const published: { sequence: number; publishedAt: string }[] = [];
          for (const [window, jumpMs] of jumps.entries()) {
            nowMs += jumpMs;
            const frameId = await store.put(pictureOf(window));
            const layer = { ...layerOf({ seconds: window * 120 }), frameId };
            const isAhead = Date.parse(layer.observedAt) > nowMs + futureToleranceMs;
            try {
              const { revision } = await catalog.publish({ event, layers: [layer], assetIds: [] });
              expect(isAhead).toBe(false);
              published.push(revision!);
            } catch (error) {
              // Only observations in the future are refused.
              if (!isAppError(error, "source-invalid")) throw error;
              expect(isAhead).toBe(true);
            }
            await catalog.prune("live", keepMs);
          }
          const record = await catalog.findEvent("live");
          await catalog.close();
          expect(published.map(({ sequence }) => sequence)).toEqual(published.map((_, index) => index + 1));
          const instants = published.map(({ publishedAt }) => publishedAt);
          expect(instants).toEqual(instants.toSorted());
          expect(record?.latestSequence ?? 0).toBe(published.length);
          // Frames of refused observations are orphans, which are not faults.
          expect(await findFaults(directory)).toEqual([]);
        },
      ),
      { numRuns: 12, seed: 20_240_501 },
    );
  },
);
