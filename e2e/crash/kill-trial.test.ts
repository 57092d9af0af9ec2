// A short crash trial with a fixed seed; `npm run crash` runs the long one.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { killKinds, runKillTrial } from "./kill-trial.ts";

const kills = killKinds.length;

test(
  `${kills} kills of processes that ingest, publish, prune, migrate and serve lose nothing, and viewers end in the true state`,
  { timeout: 180_000 },
  async () => {
    const root = await mkdtemp(join(tmpdir(), "echotop-kills-"));
    try {
      const figures = await runKillTrial({ root, kills, seed: 20240520 });
      expect(Object.values(figures.kills)).toEqual(killKinds.map(() => 1));
      for (const { connections, revisions } of figures.viewers) {
        // The first connection, and one after the host was killed.
        expect(connections).toBeGreaterThanOrEqual(2);
        expect(revisions).toBeGreaterThan(0);
      }
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
);
