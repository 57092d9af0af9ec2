// A short flood of every listener; `npm run flood` runs the long one.
import { expect, test } from "vitest";
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import { canFlood, floodBudget, runFloodTrial } from "./flood-trial.ts";

test.runIf(canFlood)(
  "150 connections full of unread requests from one address leave every listener answering, and its memory small",
  { timeout: 120_000 },
  async () => {
    const root = makeTemporaryDirectory("flood");
    try {
      const all = await runFloodTrial({ root, connections: 150, durationMs: 250, freshHosts: false });
      for (const { listener, medianMs, growthMib } of all) {
        // Few requests fit into the time, so their 99th percentile would be the slowest one.
        expect(medianMs, listener).toBeLessThan(floodBudget.answerMs);
        expect(growthMib, listener).toBeLessThan(floodBudget.growthMib);
      }
    } finally {
      removeDirectory(root);
    }
  },
);
