// `npm run failures [-- POINTS [SEED [KIND]]]`: breaks a service on PostgreSQL and Ceph, by default at 200 points.
// Prints one line a point on standard error, and a table. `1 SEED KIND` repeats the point of a line.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runFailures, toTable } from "./run-failures.ts";

const [points = "200", seed = "20260520", only] = process.argv.slice(2);
const root = await mkdtemp(join(tmpdir(), "echotop-failures-"));
try {
  const tell = (line: string): void => void process.stderr.write(`${line}\n`);
  const figures = await runFailures({
    ...{ root, isSmall: false, only, tell },
    points: Number(points),
    seed: Number(seed),
  });
  process.stdout.write(`${toTable(figures)}\n`);
  process.exitCode = figures.counts.some(({ faults }) => faults.length > 0) ? 1 : 0;
} finally {
  await rm(root, { recursive: true, force: true });
}
// A socket that was closing when its reader was killed may keep this process alive for minutes.
process.exit();
