// The benchmarks of a service, tried with small numbers: every row is measured.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasPostgres, postgresNeeds } from "../../electron/support/engines/postgres-programs.ts";
import { projectRoot } from "../../electron/support/host-process.ts";
import type { BenchRow } from "../bench/bench-row.ts";

test.skipIf(!hasPostgres)(`every row is measured${postgresNeeds}`, { timeout: 180_000 }, () => {
  const { stdout, stderr } = spawnSync(process.execPath, [join(projectRoot, "e2e/bench/run.ts"), "service"], {
    env: { ...process.env, ECHOTOP_BENCH: "short" },
    encoding: "utf8",
  });
  const rows = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as BenchRow);
  expect(rows).toHaveLength(12);
  for (const { name, ours } of rows) expect(ours, name).toEqual(expect.any(Number));
  // Small numbers say little about speed, but nothing may be missing or lost.
  for (const { metric, ours } of rows) if (/misses|lost/.test(metric)) expect(ours).toBe(0);
  expect(stderr).toContain("no target");
});
