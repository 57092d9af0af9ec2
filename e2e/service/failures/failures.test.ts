// A short trial with a fixed seed, on one database server and a folder; `npm run failures` runs the long one.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hasPostgres, postgresNeeds } from "../../../electron/support/engines/postgres-programs.ts";
import { runFailures } from "./run-failures.ts";

test.skipIf(!hasPostgres)(
  `a service loses nothing when its parts fail${postgresNeeds}`,
  { timeout: 180_000 },
  async () => {
    const root = await mkdtemp(join(tmpdir(), "echotop-failures-"));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    const { counts, revisions } = await runFailures({ root, isSmall: true, points: 4, seed: 20_260_520 });
    expect(counts.flatMap(({ faults }) => faults)).toEqual([]);
    expect(revisions).toBeGreaterThan(40);
  },
);
