// The whole trial of failures, as `npm run failures` runs it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cephGateway } from "../../../electron/support/engines/ceph-gateway.ts";
import { hasPostgres, postgresNeeds } from "../../../electron/support/engines/postgres-programs.ts";
import { hasOwnClock } from "../shared-cache.ts";
import { runFailures, toTable } from "./run-failures.ts";

const clockNeeds = hasOwnClock ? "" : " (needs: apt-get install faketime)";
const needs = cephGateway.isInstalled()
  ? postgresNeeds + clockNeeds
  : ` (needs Ceph: ${cephGateway.install})`;
const seed = 20_260_520;

test.skipIf(!hasPostgres || !hasOwnClock || !cephGateway.isInstalled())(
  `a service loses nothing at 200 failures of its parts${needs}`,
  { timeout: 3_600_000 },
  async () => {
    const root = await mkdtemp(join(tmpdir(), "echotop-failures-"));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    const tell = (line: string): void => void process.stderr.write(`${line}\n`);
    const figures = await runFailures({ root, isSmall: false, points: 200, seed, tell });
    process.stderr.write(`${toTable(figures)}\n`);
    expect(figures.counts.flatMap(({ faults }) => faults)).toEqual([]);
  },
);
